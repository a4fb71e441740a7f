//! Arguments beyond `CudaSlice`: views by value, unified and pinned memory, memory of other libraries.

use std::error::Error;
use std::ptr::NonNull;
use std::sync::Arc;

use cudarc::driver::{CudaContext, CudaStream, sys};
use ptx::cuda::dlpack::{
    DLManagedTensor, DLManagedTensorVersioned, ExportError, ImportError, Managed, export, import,
    import_readonly, import_strided,
};
use ptx::cuda::{
    Aliased, Checked, EncodeError, ForeignError, ForeignSlice, LoadOptions, Over as _, OwnedMap,
    RawPtr, Reason, borrow_context, borrow_stream, load, load_all,
};
use ptx::prelude::*;

#[tensor_map(element = u32, box = [16, 8])]
struct Map;

#[ptx::module(target = sm_80)]
mod adding {
    use super::*;

    /// Writes each element of `from`, and one, to `to`.
    #[kernel(
        reqntid = 64,
        requires(from.len() >= n, to.len() >= n),
        grid = n.div_ceil(64),
        unsafe(safe_launch)
    )]
    pub fn increment(#[readonly] from: Ptr<Global, u32>, to: Ptr<Global, u32>, n: u32) {
        ptx! {
            .reg .pred %p;
            .reg .b32 %i, %block, %n, %x;
            .reg .b64 %from, %to;
            mov.u32 %i, %tid.x;
            mov.u32 %block, %ctaid.x;
            mad.lo.u32 %i, %block, 64, %i;
            ld.param.u32 %n, [n];
            setp.ge.u32 %p, %i, %n;
            @%p ret;
            ld.param.u64 %from, [from];
            mad.wide.u32 %from, %i, 4, %from;
            ld.param.u64 %to, [to];
            mad.wide.u32 %to, %i, 4, %to;
            ld.global.u32 %x, [%from];
            add.u32 %x, %x, 1;
            st.global.u32 [%to], %x;
            ret;
        }
    }

    /// Exchanges the first elements.
    #[kernel(reqntid = 1, grid = 1, requires(a.len() > 0, b.len() > 0), unsafe(safe_launch))]
    pub fn exchange(a: Ptr<Global, u32>, b: Ptr<Global, u32>) {
        ptx! {
            .reg .b32 %x, %y;
            .reg .b64 %a, %b;
            ld.param.u64 %a, [a];
            ld.param.u64 %b, [b];
            ld.global.u32 %x, [%a];
            ld.global.u32 %y, [%b];
            st.global.u32 [%a], %y;
            st.global.u32 [%b], %x;
            ret;
        }
    }

    /// Waits for about a millisecond, and writes the number.
    #[kernel(reqntid = 1, grid = 1, requires(to.len() > 0), unsafe(safe_launch))]
    pub fn late(to: Ptr<Global, u32>, number: u32) {
        ptx! {
            .reg .pred %p;
            .reg .b32 %n, %x;
            .reg .b64 %to;
            mov.u32 %n, 0;
        again:
            nanosleep.u32 1000;
            add.u32 %n, %n, 1;
            setp.lt.u32 %p, %n, 2000;
            @%p bra again;
            ld.param.u32 %x, [number];
            ld.param.u64 %to, [to];
            st.global.u32 [%to], %x;
            ret;
        }
    }

    #[kernel(maxntid = 256)]
    pub fn many(to: Ptr<Global, u32>) {
        ptx! { ret; }
    }
}

#[ptx::module(target = sm_90a)]
mod maps {
    use super::*;

    #[kernel(reqntid = 32)]
    pub fn two(map: TensorMap<Map>, to: Ptr<Global, u32>) {
        ptx! { ret; }
    }
}

type Outcome = Result<(), Box<dyn Error>>;

/// A kernel can be named where it is kept.
struct Kept {
    increment: adding::kernels::Increment,
}

#[test]
fn a_kernel_is_kept_in_a_struct() -> Outcome {
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    let kept = Kept { increment: load::<adding::Loaded>(&context)?.increment().kernel() };
    let stream = context.default_stream();
    let (from, mut to) = (stream.clone_htod(&[1_u32, 2])?, stream.alloc_zeros::<u32>(2)?);
    kept.increment.configure().launch(&stream, (&from, &mut to, 2))?;
    assert_eq!(stream.clone_dtoh(&to)?, [2, 3]);
    Ok(())
}

#[test]
fn views_and_shared_buffers_are_taken_by_value() -> Outcome {
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    let adding = load::<adding::Loaded>(&context)?;
    let stream = context.new_stream()?;
    let from = Arc::new(stream.clone_htod(&[1_u32, 2, 3, 4])?);
    let mut to = stream.alloc_zeros::<u32>(4)?;
    adding.increment().launch(&stream, (&from, to.slice_mut(0..1), 1))?;
    adding.increment().launch(&stream, (Arc::clone(&from), to.slice_mut(1..2), 1))?;
    adding.increment().launch(&stream, (from.slice(2..3), to.slice_mut(2..3), 1))?;
    let (left, right) = to.split_at_mut(3);
    // A mutable view of other elements of the same buffer is read here.
    adding.increment().launch(&stream, (left.slice(2..3), right, 1))?;
    assert_eq!(stream.clone_dtoh(&to)?, [2, 2, 4, 5]);
    Ok(())
}

#[test]
fn unified_memory_is_read_after_the_launch() -> Outcome {
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    let adding = load::<adding::Loaded>(&context)?;
    for stream in [context.default_stream(), context.new_stream()?] {
        // SAFETY: it is filled before it is read.
        let mut memory = unsafe { context.alloc_unified::<u32>(4, true)? };
        memory.as_mut_slice()?.copy_from_slice(&[1, 2, 3, 4]);
        adding.late().launch(&stream, (&mut memory, 17))?;
        // Not before the kernel has written it, though nothing else waits.
        assert_eq!(memory.as_slice()?, [17, 2, 3, 4]);
        let mut other = stream.alloc_zeros::<u32>(4)?;
        adding.increment().launch(&stream, (&memory, &mut other, 4))?;
        assert_eq!(stream.clone_dtoh(&other)?, [18, 3, 4, 5]);
        let (from, to) = memory.split_at_mut(2);
        adding.increment().launch(&stream, (from.as_view(), to, 2))?;
        assert_eq!(memory.as_slice()?, [17, 2, 18, 3]);
    }
    Ok(())
}

#[test]
fn pinned_memory_is_read_after_the_launch() -> Outcome {
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    let adding = load::<adding::Loaded>(&context)?;
    for stream in [context.default_stream(), context.new_stream()?] {
        // SAFETY: it is filled before it is read.
        let mut memory =
            unsafe { context.alloc_pinned_with_flags::<u32>(4, sys::CU_MEMHOSTALLOC_DEVICEMAP)? };
        memory.as_mut_slice()?.copy_from_slice(&[1, 2, 3, 4]);
        adding.late().launch(&stream, (&mut memory, 17))?;
        assert_eq!(memory.as_slice()?, [17, 2, 3, 4]);
        let mut other = stream.alloc_zeros::<u32>(4)?;
        adding.increment().launch(&stream, (&memory, &mut other, 4))?;
        assert_eq!(stream.clone_dtoh(&other)?, [18, 3, 4, 5]);
        let short = adding.increment().launch(&stream, (&memory, &mut other, 5)).unwrap_err();
        assert!(short.to_string().ends_with("`from.len()` is 4 and `n` is 5"), "{short}");
    }
    Ok(())
}

#[test]
fn lengths_are_converted_with_a_check() -> Outcome {
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    let adding = load::<adding::Loaded>(&context)?;
    let stream = context.default_stream();
    let (from, mut to) = (stream.clone_htod(&[1_u32, 2])?, stream.alloc_zeros::<u32>(2)?);
    adding.increment().launch(&stream, (&from, &mut to, Checked(from.len())))?;
    assert_eq!(stream.clone_dtoh(&to)?, [2, 3]);
    let launch = adding.increment();
    let large = launch.launch(&stream, (&from, &mut to, Checked(5_000_000_000_u64))).unwrap_err();
    assert_eq!(
        large.to_string(),
        "`increment` was not launched: the argument for `n` is 5000000000, and a `u32` holds 0 to 4294967295"
    );
    let negative = launch.launch(&stream, (&from, &mut to, Checked(-1_i8))).unwrap_err();
    assert!(negative.to_string().contains("the argument for `n` is -1,"), "{negative}");
    Ok(())
}

#[test]
fn arguments_that_are_written_do_not_overlap() -> Outcome {
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    let adding = load::<adding::Loaded>(&context)?;
    let stream = context.new_stream()?;
    let mut data = stream.clone_htod(&[1_u32, 2, 3, 4])?;
    let (mut left, mut right) = data.split_at_mut(2);
    adding.exchange().launch(&stream, (&mut left, &mut right))?;
    assert_eq!(stream.clone_dtoh(&data)?, [3, 2, 1, 4]);

    let (address, _access) = {
        use cudarc::driver::DevicePtr as _;
        data.device_ptr(&stream)
    };
    // SAFETY: the buffer has these elements, and nothing else runs.
    let raw =
        |first: u64, len| unsafe { RawPtr::new(Ptr::<Global, u32>::new(address + 4 * first), len) };
    let error = adding.exchange().launch(&stream, (raw(0, 2), raw(1, 3))).unwrap_err();
    let Reason::Overlap { first: "a", second: "b", address: shared, bytes: 4 } = error.reason()
    else {
        panic!("{error}");
    };
    assert_eq!(*shared, address + 4);
    assert!(error.to_string().contains("share 4 bytes from 0x"), "{error}");
    adding.exchange().launch(&stream, (raw(0, 1), raw(1, 3)))?;
    let both = raw(0, 2);
    // SAFETY: a single thread reads both before it writes.
    let aliased = (both, unsafe { Aliased::new(&both) });
    adding.exchange().launch(&stream, aliased)?;
    // One of them is only read.
    adding.increment().launch(&stream, (raw(0, 2), raw(0, 2), 2))?;
    assert_eq!(stream.clone_dtoh(&data)?, [3, 4, 1, 4]);
    Ok(())
}

#[test]
fn a_map_that_stores_overlaps_a_buffer() -> Outcome {
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    if context.compute_capability()?.0 != 9 {
        xtask::not_run("the module is for compute capability 9.0");
        return Ok(());
    }
    let maps = load::<maps::Loaded>(&context)?;
    let stream = context.new_stream()?;
    let mut data = stream.alloc_zeros::<u32>(16 * 8)?;
    let address = {
        use cudarc::driver::DevicePtr as _;
        data.device_ptr(&stream).0
    };
    // SAFETY: the kernel accesses nothing.
    let to = unsafe { RawPtr::new(Ptr::<Global, u32>::new(address + 4 * 127), 1) };
    let map = Map::over_mut(&mut data, &stream).dims([16, 8]).encode()?;
    let launch = maps.two().grid(1);
    // SAFETY: the kernel accesses nothing.
    let error = unsafe { launch.launch(&stream, (&map, to)) }.unwrap_err();
    assert!(
        matches!(error.reason(), Reason::Overlap { first: "map", second: "to", bytes: 4, .. }),
        "{error}"
    );
    Ok(())
}

#[test]
fn a_map_keeps_its_buffer() -> Outcome {
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    if context.compute_capability()?.0 != 9 {
        xtask::not_run("the module is for compute capability 9.0");
        return Ok(());
    }
    let maps = load::<maps::Loaded>(&context)?;
    let stream = context.new_stream()?;
    let small = stream.alloc_zeros::<u32>(16 * 8 - 1)?;
    let Err((error, small)) = OwnedMap::<Map>::new(small, &stream, |map| map.dims([16, 8])) else {
        panic!("the buffer is too small");
    };
    assert!(matches!(error, EncodeError::OutOfBuffer(_)) && small.len() == 127, "{error}");
    let data = stream.alloc_zeros::<u32>(16 * 8)?;
    let owned = OwnedMap::<Map>::new(data, &stream, |map| map.dims([16, 8]));
    let mut owned = owned.map_err(|(error, _)| error)?;
    let mut to = stream.alloc_zeros::<u32>(1)?;
    // SAFETY: the kernel accesses nothing.
    unsafe { maps.two().grid(1).launch(&stream, (&owned.loads(&stream), &mut to))? };
    // SAFETY: as above.
    unsafe { maps.two().grid(1).launch(&stream, (&owned.stores(&stream), &mut to))? };
    stream.memcpy_htod(&[7_u32; 128], &mut owned.buffer_mut())?;
    assert_eq!(stream.clone_dtoh(&owned.buffer())?, [7; 128]);
    let buffer = owned.into_buffer();
    assert_eq!(stream.clone_dtoh(&buffer)?, [7; 128]);
    Ok(())
}

/// A function that returns the map of another buffer gives its dimensions alone.
#[test]
fn an_owned_map_is_over_its_own_buffer() -> Outcome {
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    if context.compute_capability()?.0 < 9 {
        xtask::not_run("tensor maps need compute capability 9.0");
        return Ok(());
    }
    let stream: &'static Arc<CudaStream> = Box::leak(Box::new(context.new_stream()?));
    let (graph, bound) =
        ptx::cuda::capture(stream, |scope| scope.write(stream.alloc_zeros::<u32>(16 * 8)?))?;
    let bound = Box::leak(Box::new(bound));
    let theirs = bound.address();
    let data = stream.alloc_zeros::<u32>(16 * 8)?;
    let owned = OwnedMap::<Map>::new(data, stream, |_| bound.map_mut().dims([16, 8]));
    let owned = owned.map_err(|(error, _)| error)?;
    drop(graph);
    let own = {
        use cudarc::driver::DevicePtr as _;
        owned.buffer().device_ptr(stream).0
    };
    let address = owned.loads(stream).tensor().address;
    assert!(address == own && address != theirs);
    Ok(())
}

#[test]
fn an_array_gives_its_shape_to_a_map() -> Outcome {
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    if context.compute_capability()?.0 < 9 {
        xtask::not_run("tensor maps need compute capability 9.0");
        return Ok(());
    }
    let stream = context.new_stream()?;
    let data = stream.alloc_zeros::<u32>(32 * 64)?;
    let map = Map::over(&data, &stream).array(&[8, 16], &[64, 1]).encode()?;
    let same = Map::over(&data, &stream).dims([16, 8]).strides([256]).encode()?;
    assert_eq!(map.descriptor().as_bytes(), same.descriptor().as_bytes());
    let refused = |shape: &[usize], strides: &[isize]| {
        Map::over(&data, &stream).array(shape, strides).encode().map(drop).unwrap_err()
    };
    assert!(matches!(refused(&[8, 16], &[1, 8]), EncodeError::Stride { stride: 8 }));
    assert!(matches!(refused(&[8, 16], &[-16, 1]), EncodeError::Stride { stride: -16 }));
    assert!(matches!(
        refused(&[8, 16], &[1]),
        EncodeError::Dimensions { what: "strides", got: 0, .. }
    ));
    assert!(matches!(refused(&[16], &[1]), EncodeError::Dimensions { what: "dims", got: 1, .. }));
    assert!(matches!(
        refused(&[2, 3, 4, 5, 6, 7], &[1; 6]),
        EncodeError::Dimensions { got: 6, .. }
    ));
    assert!(matches!(refused(&[64, 64], &[64, 1]), EncodeError::OutOfBuffer(_)));
    Ok(())
}

#[test]
fn a_block_is_suggested() -> Outcome {
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    let adding = load::<adding::Loaded>(&context)?;
    let suggested = adding.many().suggest_block()?;
    println!("suggested: {suggested:?}");
    assert!(suggested.threads > 0 && suggested.threads <= 256 && suggested.grid > 0);
    let stream = context.default_stream();
    let mut to = stream.alloc_zeros::<u32>(1)?;
    let launch = adding.many().block(suggested.threads).grid(suggested.grid);
    // SAFETY: the kernel accesses nothing.
    unsafe { launch.launch(&stream, (&mut to,))? };
    Ok(())
}

/// The address of a new buffer of four numbers, which stays allocated.
fn foreign(stream: &Arc<CudaStream>) -> Result<u64, Box<dyn Error>> {
    let address = stream.clone_htod(&[1_u32, 2, 3, 4])?.leak();
    stream.synchronize()?;
    Ok(address)
}

#[test]
fn memory_of_another_library_is_an_argument() -> Outcome {
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    let adding = load::<adding::Loaded>(&context)?;
    let theirs = context.new_stream()?;
    let address = foreign(&theirs)?;
    // SAFETY: it outlives what is borrowed of it.
    let stream = unsafe { borrow_stream(&context, theirs.cu_stream())? };
    // SAFETY: the buffer has four elements, and is used nowhere else.
    let mut memory = unsafe { ForeignSlice::<u32>::new(address, 4, &stream)? };
    let mine = context.new_stream()?;
    adding.late().launch(&stream, (&mut memory, 17))?;
    // On another stream, after that.
    let mut to = mine.alloc_zeros::<u32>(4)?;
    adding.increment().launch(&mine, (&memory, &mut to, 4))?;
    assert_eq!(mine.clone_dtoh(&to)?, [18, 3, 4, 5]);
    adding.late().launch(&mine, (&mut memory, 99))?;
    drop(memory);
    // Their stream waits for mine.
    // SAFETY: as above.
    let memory = unsafe { ForeignSlice::<u32>::new(address, 4, &stream)? };
    assert_eq!(theirs.clone_dtoh(&memory)?, [99, 2, 3, 4]);

    // SAFETY: what is refused is not borrowed.
    let refused =
        |address, len| unsafe { ForeignSlice::<u32>::new(address, len, &stream) }.unwrap_err();
    assert!(matches!(refused(address + 2, 1), ForeignError::Misaligned { align: 4, .. }));
    assert!(matches!(refused(address, usize::MAX / 2), ForeignError::TooLong { .. }));
    assert!(matches!(refused(64, 1), ForeignError::Unknown { address: 64 }));
    // SAFETY: the buffer is used nowhere else.
    let mut memory = unsafe { ForeignSlice::<u32>::new(address, 1, &stream)? };
    let short = adding.increment().launch(&stream, (&to, &mut memory, 2)).unwrap_err();
    assert!(matches!(short.reason(), Reason::Contract(_)), "{short}");
    Ok(())
}

/// Work on two streams that is submitted at a time.
#[test]
fn their_stream_waits_for_all_streams_that_use_their_memory() -> Outcome {
    use cudarc::driver::DevicePtr as _;
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    let adding = load::<adding::Loaded>(&context)?;
    let theirs = context.new_stream()?;
    let address = foreign(&theirs)?;
    // SAFETY: it outlives what is borrowed of it.
    let stream = unsafe { borrow_stream(&context, theirs.cu_stream())? };
    // SAFETY: the buffer has four elements, and is used nowhere else.
    let memory = unsafe { ForeignSlice::<u32>::new(address, 4, &stream)? };
    let (one, other) = (context.new_stream()?, context.new_stream()?);
    let (first, second) = (memory.device_ptr(&one), memory.device_ptr(&other));
    // SAFETY: the buffer has four elements.
    let raw = unsafe { RawPtr::new(Ptr::<Global, u32>::new(address), 4) };
    adding.late().launch(&one, (raw, 77))?;
    drop((first, second));
    drop(memory);
    // SAFETY: as above.
    let memory = unsafe { ForeignSlice::<u32>::new(address, 4, &stream)? };
    assert_eq!(theirs.clone_dtoh(&memory)?, [77, 2, 3, 4]);
    Ok(())
}

/// `cuCtxCreate`, as drivers of CUDA 3.2 and later have it.
type Create = unsafe extern "C" fn(*mut sys::CUcontext, u32, i32) -> u32;

#[test]
fn a_context_of_another_library_is_used() -> Outcome {
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    // SAFETY: the primary context is retained by `context`.
    assert!(
        Arc::ptr_eq(&context, &context)
            && *unsafe { borrow_context(context.cu_ctx())? } == *context
    );
    // SAFETY: it is the driver's library, which is loaded already, and the function has this type.
    let theirs = unsafe {
        let driver = libloading::Library::new("libcuda.so.1")?;
        let create = driver.get::<Create>(b"cuCtxCreate_v2")?;
        let mut made = std::ptr::null_mut();
        assert_eq!(create(&raw mut made, 0, 0), 0);
        made
    };
    // SAFETY: it is not destroyed before the process ends.
    let borrowed = unsafe { borrow_context(theirs)? };
    let adding = load::<adding::Loaded>(&borrowed)?;
    let stream = borrowed.default_stream();
    let (from, mut to) = (stream.clone_htod(&[1_u32, 2])?, stream.alloc_zeros::<u32>(2)?);
    adding.increment().launch(&stream, (&from, &mut to, 2))?;
    assert_eq!(stream.clone_dtoh(&to)?, [2, 3]);
    drop((adding, from, to, stream, borrowed));
    // It is not destroyed.
    // SAFETY: it is a context.
    unsafe { cudarc::driver::result::ctx::set_current(theirs)? };
    Ok(cudarc::driver::result::ctx::synchronize()?)
}

/// A tensor that is exported and imported again.
fn travels<M: Managed + 'static>(context: &Arc<CudaContext>) -> Outcome {
    let adding = load::<adding::Loaded>(context)?;
    let (stream, other) = (context.new_stream()?, context.new_stream()?);
    let buffer = stream.clone_htod(&[1_u32, 2, 3, 4, 5, 6])?;
    let Err((error, mut buffer)) = export::<_, M>(buffer, &[2, 2], &other) else {
        panic!("4 elements of 6");
    };
    assert!(matches!(error, ExportError::Shape { len: 6, .. }), "{error}");
    adding.late().launch(&stream, (&mut buffer, 7))?;
    let tensor: NonNull<M> = export(buffer, &[2, 3], &other).map_err(|(error, _)| error)?;
    // SAFETY: it is valid and refused.
    let refused = unsafe { import::<f32, M>(tensor, &other) }.unwrap_err();
    assert!(
        refused.to_string().starts_with("the elements of the tensor are uint32, not float32; "),
        "{refused}"
    );
    // SAFETY: it is valid, and nobody else has taken it.
    let mut tensor = unsafe { import::<u32, M>(tensor, &other)? };
    assert_eq!((tensor.shape(), tensor.len()), (&[2, 3][..], 6));
    let mut to = other.alloc_zeros::<u32>(6)?;
    adding.increment().launch(&other, (&*tensor, &mut to, Checked(tensor.len())))?;
    assert_eq!(other.clone_dtoh(&to)?, [8, 3, 4, 5, 6, 7]);
    adding.increment().launch(&other, (&to, &mut *tensor, 6))?;
    assert_eq!(other.clone_dtoh(&*tensor)?, [9, 4, 5, 6, 7, 8]);
    Ok(())
}

#[test]
fn a_tensor_travels_by_dlpack() -> Outcome {
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    travels::<DLManagedTensor>(&context)?;
    travels::<DLManagedTensorVersioned>(&context)
}

/// How often the deleter of the test's tensor was called.
static DELETED: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);

unsafe extern "C" fn deleted(_: *mut DLManagedTensorVersioned) {
    DELETED.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
}

#[test]
fn a_tensor_that_does_not_fit_is_not_taken() -> Outcome {
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    let stream = context.new_stream()?;
    let address = foreign(&stream)?;
    let tensor: NonNull<DLManagedTensorVersioned> =
        export(stream.alloc_zeros::<u32>(1)?, &[1], &stream).map_err(|(error, _)| error)?;
    // SAFETY: it was exported here, and its own deleter frees it below.
    let managed = unsafe { &mut *tensor.as_ptr() };
    let (own, (shape, strides)) =
        (managed.deleter, (managed.dl_tensor.shape, managed.dl_tensor.strides));
    let (mut dims, mut steps) = ([2_i64, 2], [2_i64, 1]);
    managed.deleter = Some(deleted);
    managed.dl_tensor.ndim = 2;
    managed.dl_tensor.shape = dims.as_mut_ptr();
    managed.dl_tensor.strides = steps.as_mut_ptr();
    let data = std::mem::replace(
        &mut managed.dl_tensor.data,
        std::ptr::without_provenance_mut(usize::try_from(address)?),
    );
    // SAFETY: it describes the four numbers at the address, which stay allocated.
    let take = || unsafe { import::<u32, _>(tensor, &stream) };
    let set = |change: &dyn Fn(&mut DLManagedTensorVersioned)| {
        // SAFETY: nothing else refers to it.
        change(unsafe { &mut *tensor.as_ptr() });
    };
    set(&|it| it.flags = 1);
    assert!(matches!(take(), Err(ImportError::NotWritable)));
    // SAFETY: as above.
    drop(unsafe { import_readonly::<u32, _>(tensor, &stream)? });
    assert_eq!(DELETED.swap(0, std::sync::atomic::Ordering::SeqCst), 1);
    set(&|it| (it.flags, it.version.major) = (0, 2));
    assert!(matches!(take(), Err(ImportError::Version(_))));
    set(&|it| (it.version.major, it.dl_tensor.device.device_type) = (1, 1));
    assert!(matches!(take(), Err(ImportError::Device { .. })));
    set(&|it| (it.dl_tensor.device.device_type, it.dl_tensor.byte_offset) = (2, 2));
    assert!(matches!(take(), Err(ImportError::Memory(ForeignError::Misaligned { .. }))));
    set(&|it| it.dl_tensor.byte_offset = 0);
    steps = [1, 2];
    std::hint::black_box(&mut steps);
    assert!(matches!(take(), Err(ImportError::Strided { .. })));
    // SAFETY: as above.
    let transposed = unsafe { import_strided::<u32, _>(tensor, &stream)? };
    assert_eq!((transposed.shape(), transposed.strides()), (&[2, 2][..], &[1, 2][..]));
    assert_eq!(stream.clone_dtoh(&*transposed)?, [1, 2, 3, 4]);
    drop(transposed);
    assert_eq!(DELETED.swap(0, std::sync::atomic::Ordering::SeqCst), 1);
    assert_eq!(DELETED.load(std::sync::atomic::Ordering::SeqCst), 0);
    steps = [2, 1];
    std::hint::black_box(&mut steps);
    let taken = take()?;
    assert_eq!(stream.clone_dtoh(&*taken)?, [1, 2, 3, 4]);
    drop(taken);
    assert_eq!(DELETED.load(std::sync::atomic::Ordering::SeqCst), 1);
    set(&|it| {
        it.deleter = own;
        (it.dl_tensor.ndim, it.dl_tensor.shape, it.dl_tensor.strides) = (1, shape, strides);
        it.dl_tensor.data = data;
    });
    let _ = (&mut dims, &mut steps);
    // SAFETY: it is as it was exported.
    drop(unsafe { import::<u32, _>(tensor, &stream)? });
    Ok(())
}

/// A library that drops our tensor keeps its current context.
#[test]
fn the_deleter_leaves_the_context_as_it_is() -> Outcome {
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    let stream = context.new_stream()?;
    let tensor: NonNull<DLManagedTensor> =
        export(stream.alloc_zeros::<u32>(4)?, &[4], &stream).map_err(|(error, _)| error)?;
    let other = crate::errors::other_context(&context)?;
    other.bind_to_thread()?;
    // SAFETY: it is a tensor of `export`, which is not used any more.
    unsafe { (tensor.as_ref().deleter.ok_or("it has one")?)(tensor.as_ptr()) };
    assert_eq!(cudarc::driver::result::ctx::get_current()?, Some(other.cu_ctx()));
    Ok(())
}

#[test]
fn each_device_runs_its_own_module() -> Outcome {
    let Some(first) = crate::device::gpu() else { return Ok(()) };
    let Ok(second) = ptx::cuda::context(1) else {
        xtask::not_run("there is one GPU, and this needs two");
        return Ok(());
    };
    let contexts = [first, second];
    let modules = load_all::<adding::Loaded>(LoadOptions::new())?;
    let modules = modules.into_iter().collect::<Result<Vec<_>, _>>()?;
    let mut results = Vec::new();
    for (context, module) in contexts.iter().zip(&modules) {
        let stream = context.new_stream()?;
        let (from, mut to) = (stream.clone_htod(&[1_u32, 2])?, stream.alloc_zeros::<u32>(2)?);
        module.increment().launch(&stream, (&from, &mut to, 2))?;
        results.push((stream, from, to));
    }
    for (stream, _, to) in &results {
        assert_eq!(stream.clone_dtoh(to)?, [2, 3]);
    }
    // A buffer of one device is not an argument on the other, nor is its stream.
    let [(stream, from, _), (_, _, to)] = &mut results[..] else { panic!("two devices") };
    let error = modules[0].increment().launch(stream, (&*from, to, 2)).unwrap_err();
    assert!(matches!(error.reason(), Reason::ArgumentContext { parameter: "to" }), "{error}");
    let error = modules[1]
        .increment()
        .launch(stream, (&*from, &mut stream.alloc_zeros::<u32>(2)?, 2))
        .unwrap_err();
    assert!(matches!(error.reason(), Reason::OtherContext { .. }), "{error}");
    Ok(())
}
