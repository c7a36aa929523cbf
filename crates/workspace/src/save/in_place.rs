//! Writing into a file that has several names, after consent: the names stay together, at the price of a moment in
//! which the file is half old and half new. A copy of the old content stands beside it meanwhile.

use std::fs::File;
use std::io::{self, Write};

use rustix::fs::{Mode, OFlags};

use super::current::{self, Current};
use super::place::Place;
use super::temporary::{Temporary, sync_folder};
use super::{Expected, Left, RelativePath, SaveError, Step};

/// Writes `bytes` over `current`. When that fails, the old content is put back; when that fails too, or the process
/// is killed, the copy `.{name}.cbw-….undo` stays.
pub(super) fn write(
    place: &Place,
    path: &RelativePath,
    current: &Current,
    bytes: &[u8],
    at: &dyn Fn(Step) -> io::Result<()>,
) -> Result<(), SaveError> {
    let untouched = |cause: io::Error| SaveError::from_io(path, cause, Left::Old);
    let undo = undo_copy(place, current, at).map_err(untouched)?;
    let now = current::read(place, path)?;
    current::compare(now.as_ref(), Expected::Hash(current.hash), path)?;
    at(Step::ComparedAgain).map_err(untouched)?;
    let flags = OFlags::WRONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = rustix::fs::openat(&place.folder, &place.name, flags, Mode::empty())
        .map_err(|errno| untouched(errno.into()))?;
    let mut file = File::from(file);
    let outcome = overwrite(&mut file, bytes, at);
    let Err(cause) = outcome else { return Ok(()) };
    let left = if overwrite(&mut file, &current.bytes, &|_| Ok(())).is_ok() {
        Left::Old
    } else {
        let copy = place.folder_path.join(&undo.name);
        undo.keep();
        Left::Undo(copy)
    };
    Err(SaveError::from_io(path, cause, left))
}

fn undo_copy<'a>(
    place: &'a Place,
    current: &Current,
    at: &dyn Fn(Step) -> io::Result<()>,
) -> io::Result<Temporary<'a>> {
    let mut undo = Temporary::create(place, "undo", 0o600)?;
    at(Step::Created)?;
    undo.file.write_all(&current.bytes)?;
    undo.file.sync_all()?;
    sync_folder(&place.folder)?;
    at(Step::Synced)?;
    Ok(undo)
}

fn overwrite(file: &mut File, bytes: &[u8], at: &dyn Fn(Step) -> io::Result<()>) -> io::Result<()> {
    use std::os::unix::fs::FileExt;

    let (first, second) = bytes.split_at(bytes.len() / 2);
    file.write_all_at(first, 0)?;
    at(Step::HalfWritten)?;
    file.write_all_at(second, first.len() as u64)?;
    file.set_len(bytes.len() as u64)?;
    at(Step::Written)?;
    file.sync_all()
}
