const TEXT: &str = "no end;
