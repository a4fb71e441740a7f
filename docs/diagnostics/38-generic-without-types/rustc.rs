fn k<T>() -> usize {
    size_of::<T>()
}

pub fn run() -> usize {
    k()
}
