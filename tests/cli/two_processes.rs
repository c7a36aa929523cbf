//! Two `cbw` processes and one database.

use std::path::Path;
use std::thread;

use product_tests::cbw;
use product_tests::fixture::Machine;

/// Runs of each process: the full number under `make test-long`.
fn runs() -> usize {
    if std::env::var_os("CBW_LONG").is_some() { 500 } else { 40 }
}

fn assemble_again_and_again(home: &Path, runs: usize) {
    for _ in 0..runs {
        let ran = cbw::run(home, ["assemble", "--channel", "telegram"]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        assert!(ran.stderr.is_empty(), "a record was lost: {}", ran.stderr);
    }
}

#[test]
fn every_assembly_of_two_processes_is_recorded_or_counted_as_seen() {
    let machine = Machine::default();
    machine.write(&machine.home().join(".catbuddy/workspace/SOUL.md"), b"one soul\n");
    let runs = runs();
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| assemble_again_and_again(&machine.home(), runs));
        }
    });
    let listed = cbw::run(&machine.home(), ["history", "list", "--json", "--limit", "5000"]).json();
    let seen: u64 = listed["assemblies"].as_array().unwrap().iter().map(|row| row["seen"].as_u64().unwrap()).sum();
    assert_eq!(seen, 2 * runs as u64);
}
