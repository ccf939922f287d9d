//! Counting what is allocated.

use alloc_tracker::Session;

/// The system's allocator, counting; a program that wants its allocations counted makes it the global one:
///
/// ```
/// #[global_allocator]
/// static ALLOCATOR: boson_bench::Allocator = boson_bench::Allocator::system();
/// ```
///
/// The counters belong to threads, so counting costs a few additions for each allocation.
pub type Allocator = alloc_tracker::Allocator<std::alloc::System>;

/// What one operation allocated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Allocated {
    /// Calls that asked for memory: new blocks, and blocks that became larger or smaller.
    pub count: u64,
    /// Bytes that those calls asked for; a block that changed its size counts with its new one.
    pub bytes: u64,
}

/// Runs `operation` on this thread; returns what it allocated, `None` when [`Allocator`] is not the program's.
pub fn of<T>(operation: impl FnOnce() -> T) -> (T, Option<Allocated>) {
    let (result, allocated) = count(operation);
    let counting = allocated.count > 0 || count(|| std::hint::black_box(Box::new(1_u8))).1.count > 0;
    (result, counting.then_some(allocated))
}

fn count<T>(operation: impl FnOnce() -> T) -> (T, Allocated) {
    let session = Session::new().no_stdout().no_file();
    let counted = session.operation("operation");
    let result = {
        let _span = counted.measure_thread().iterations(1);
        operation()
    };
    let report = session.to_report();
    let allocated = report.operations().next().map(|(_, operation)| Allocated {
        count: operation.total_allocations_count(),
        bytes: operation.total_bytes_allocated(),
    });
    (result, allocated.unwrap_or_default())
}
