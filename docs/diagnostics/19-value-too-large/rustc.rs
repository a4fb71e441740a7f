pub static BYTE: u8 = 300;
