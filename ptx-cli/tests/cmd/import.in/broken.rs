pub struct Stages {
