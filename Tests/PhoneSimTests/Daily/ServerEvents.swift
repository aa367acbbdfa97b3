import Link

extension ServerRestarted {
  /// A start of the server with its cause alone.
  init(cause: String) {
    self.init()
    self.cause = cause
  }
}

extension FileDamaged {
  /// A damaged file of the server.
  init(file: String) {
    self.init()
    self.file = file
  }
}
