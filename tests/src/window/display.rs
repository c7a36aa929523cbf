//! A virtual display, and pictures of it.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use x11rb::connection::Connection;
use x11rb::protocol::xproto::{ConnectionExt, ImageFormat};

use super::WindowError;

/// Width and height in pixels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// Pixels from left to right.
    pub width: u16,
    /// Pixels from top to bottom.
    pub height: u16,
}

/// An X server without a screen. Ends with this value.
#[derive(Debug)]
pub struct Display {
    server: Child,
    name: String,
}

impl Display {
    /// Starts a server with one screen of `size`, on the first display number that is free.
    ///
    /// # Errors
    /// When Xvfb is missing or does not come up.
    pub fn start(size: Size) -> Result<Self, WindowError> {
        let screen = format!("{}x{}x24", size.width, size.height);
        // It chooses its number itself and writes it when it accepts connections.
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", &screen, "-nolisten", "tcp", "-noreset"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|cause| WindowError::Start { program: "Xvfb".to_owned(), cause })?;
        let mut number = String::new();
        if let Some(output) = server.stdout.take() {
            BufReader::new(output).read_line(&mut number)?;
        }
        let display = Self { server, name: format!(":{}", number.trim()) };
        match number.trim() {
            "" => Err(WindowError::Patience { what: "Xvfb to name its display".to_owned() }),
            _ => Ok(display),
        }
    }

    /// Its name, for `DISPLAY`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Writes what the display shows to `file`, as PNG. Its folder is made.
    ///
    /// The display's root window holds what a person would see. WebDriver's own picture is not used: WebKitGTK
    /// 2.50 sometimes never answers it on a virtual display.
    ///
    /// # Errors
    /// When the display is gone or the file cannot be written.
    pub fn picture(&self, file: &Path) -> Result<(), WindowError> {
        let (size, pixels) = self.pixels().map_err(|error| WindowError::Picture(error.to_string()))?;
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let mut encoder =
            png::Encoder::new(BufWriter::new(File::create(file)?), u32::from(size.width), u32::from(size.height));
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(&pixels));
        written.map_err(|error| WindowError::Picture(error.to_string()))
    }

    /// The root window's pixels as red, green and blue.
    fn pixels(&self) -> Result<(Size, Vec<u8>), Box<dyn std::error::Error>> {
        let (connection, screen) = x11rb::connect(Some(&self.name))?;
        let root = connection.setup().roots.get(screen).ok_or("the display has no screen")?;
        let size = Size { width: root.width_in_pixels, height: root.height_in_pixels };
        let image =
            connection.get_image(ImageFormat::Z_PIXMAP, root.root, 0, 0, size.width, size.height, u32::MAX)?.reply()?;
        // At a depth of 24 each pixel is blue, green, red, and a byte without a meaning.
        let rgb = image.data.chunks_exact(4).flat_map(|pixel| [pixel[2], pixel[1], pixel[0]]).collect();
        Ok((size, rgb))
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        drop(self.server.kill());
        drop(self.server.wait());
    }
}
