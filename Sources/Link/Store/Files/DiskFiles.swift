package import Link

/// The files of a device, in folders beside its store.
///
/// `outgoing`, `partial` and `inbox` hold files named by their transfers, `kept` those of the app, under its own names.
/// Files are created under a temporary name and renamed, so every file outside `partial` is complete.
package struct DiskFiles: FileBox {
  private let folder: String
  private let durability: StoreFile.Durability
  /// The files used last: a transfer reads or writes the same one repeatedly.
  private var reading: (transfer: Identifier, file: OpenFile)?
  private var writing: (transfer: Identifier, file: OpenFile)?

  /// Uses the folders beside a device's store, and creates them if missing.
  ///
  /// - Parameter durability: As the store's: files are durable before the commit that reports them.
  package init(folder: String, durability: StoreFile.Durability = .normal) throws(StoreError) {
    self.folder = folder
    self.durability = durability
    try FileSystem.makeFolder(folder)
    for box in Box.allCases { try FileSystem.makeFolder("\(folder)/\(box.rawValue)") }
  }

  /// The folders.
  private enum Box: String, CaseIterable { case outgoing, partial, inbox, kept }

  package mutating func carryOut(_ order: FileOrder) throws(StoreError) {
    switch order {
    case .create(let transfer, let content): try create(transfer, content)
    case .write(let transfer, let offset, let bytes): try write(transfer, offset, bytes)
    case .moveToInbox(let transfer):
      writing = nil
      try move(path(.partial, transfer.text), to: .inbox, as: transfer.text)
    case .keep(let transfer, let name):
      precondition(MemoryFiles.isName(name), "a file cannot have the name \"\(name)\"")
      try move(path(.inbox, transfer.text), to: .kept, as: name)
    case .make(let content, let name):
      precondition(MemoryFiles.isName(name), "a file cannot have the name \"\(name)\"")
      try make(content, in: .kept, as: name)
    case .remove(let name): try FileSystem.remove(path(.kept, name))
    case .discardOutgoing(let transfer):
      if reading?.transfer == transfer { reading = nil }
      try FileSystem.remove(path(.outgoing, transfer.text))
    case .discardIncoming(let transfer):
      if writing?.transfer == transfer { writing = nil }
      try FileSystem.remove(path(.partial, transfer.text))
      try FileSystem.remove(path(.inbox, transfer.text))
    }
  }

  package mutating func read(_ transfer: Identifier, offset: UInt64, count: Int) throws(StoreError) -> [UInt8] {
    let file: OpenFile
    if let reading, reading.transfer == transfer {
      file = reading.file
    } else {
      let path = path(.outgoing, transfer.text)
      guard let opened = try OpenFile(path, for: .reading) else { throw StoreError(.corrupt, "\(path): is missing") }
      reading = (transfer, opened)
      file = opened
    }
    return try file.read(at: offset, count: count)
  }

  /// Removes files that no transfer needs.
  ///
  /// A crash leaves them between a file's creation and the commit that reports it, or between a commit and the removal
  /// that follows from it.
  package mutating func removeOrphans(isOwned: (Identifier) -> Bool) throws(StoreError) {
    reading = nil
    writing = nil
    for box in [Box.outgoing, .partial, .inbox] {
      for name in try FileSystem.names(in: "\(folder)/\(box.rawValue)") {
        if let transfer = Identifier(text: name), transfer.text == name, isOwned(transfer) { continue }
        try FileSystem.remove(path(box, name))
      }
    }
  }

  // MARK: Orders

  private func create(_ transfer: Identifier, _ content: FileContent) throws(StoreError) {
    // A file with its final name is complete.
    if try FileSystem.kind(of: path(.outgoing, transfer.text)) == .file { return }
    try make(content, in: .outgoing, as: transfer.text)
  }

  /// Creates a complete file, replacing one with that name.
  private func make(_ content: FileContent, in box: Box, as name: String) throws(StoreError) {
    // An app's names never begin with a dot.
    let temporary = path(box, box == .kept ? ".\(name).new" : "\(name).new")
    guard let file = try OpenFile(temporary, for: .writing) else { return }
    try file.truncate(to: 0)
    var offset: UInt64 = 0
    while offset < content.byteCount {
      let piece = content.bytes(offset: offset, count: 1 << 17)
      try file.write(piece, at: offset)
      offset += UInt64(piece.count)
    }
    if durability == .full { try file.sync() }
    try move(temporary, to: box, as: name)
  }

  private mutating func write(_ transfer: Identifier, _ offset: UInt64, _ bytes: [UInt8]) throws(StoreError) {
    let file: OpenFile
    if let writing, writing.transfer == transfer {
      file = writing.file
    } else {
      if offset > 0 { try takeBack(transfer) }
      guard let opened = try OpenFile(path(.partial, transfer.text), for: .writing) else { return }
      writing = (transfer, opened)
      file = opened
    }
    let byteCount = try file.byteCount()
    guard offset <= byteCount else {
      throw StoreError(.corrupt, "\(file.path): holds \(byteCount) bytes, expected at least \(offset)")
    }
    if offset < byteCount { try file.truncate(to: offset) }
    try file.write(bytes, at: offset)
    if durability == .full { try file.sync() }
  }

  /// Returns a file to `partial` whose move to the inbox was not committed: its last chunk comes again after the crash.
  private func takeBack(_ transfer: Identifier) throws(StoreError) {
    let partial = path(.partial, transfer.text)
    guard try FileSystem.kind(of: partial) == .nothing else { return }
    _ = try FileSystem.rename(path(.inbox, transfer.text), to: partial)
  }

  /// Renames a file, unless a call before a crash has already done so.
  private func move(_ source: String, to box: Box, as name: String) throws(StoreError) {
    let target = path(box, name)
    guard try !FileSystem.rename(source, to: target) else {
      if durability == .full { try FileSystem.sync(folder: "\(folder)/\(box.rawValue)") }
      return
    }
    guard try FileSystem.kind(of: target) == .file else {
      throw StoreError(.corrupt, "\(source): is missing, and \(target) does not exist either")
    }
  }

  private func path(_ box: Box, _ name: String) -> String { "\(folder)/\(box.rawValue)/\(name)" }
}
