package import Link

/// The files of a device, in folders beside its store.
///
/// `outgoing`, `partial` and `inbox` hold files named by their transfers, `kept` those of the app, under its own names.
/// Files are created under a temporary name and renamed, so every file outside `partial` is complete. A file that the app
/// keeps has two names until its transfer is discarded.
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
    case .create(let transfer, let content):
      if reading?.transfer == transfer { reading = nil }
      try make(content, in: .outgoing, as: transfer.text)
    case .write(let transfer, let offset, let bytes): try write(transfer, offset, bytes)
    case .moveToInbox(let transfer):
      writing = nil
      try move(path(.partial, transfer.text), to: .inbox, as: transfer.text)
    case .keep(let transfer, let name):
      precondition(MemoryFiles.isName(name), "a file cannot have the name \"\(name)\"")
      try keep(path(.inbox, transfer.text), as: name)
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
    // Names of the app never begin with a dot.
    for name in try FileSystem.names(in: "\(folder)/\(Box.kept.rawValue)") where name.hasPrefix(".") {
      try FileSystem.remove(path(.kept, name))
    }
  }

  package mutating func takeBack(_ transfer: Identifier) throws(StoreError) -> UInt64 {
    writing = nil
    let partial = path(.partial, transfer.text)
    if try FileSystem.kind(of: partial) == .nothing,
      try !FileSystem.rename(path(.inbox, transfer.text), to: partial)
    {
      guard try OpenFile(partial, for: .writing) != nil else { return 0 }
    }
    return try FileSystem.byteCount(of: partial)
  }

  package func keptNames() throws(StoreError) -> [String] { try FileSystem.names(in: "\(folder)/\(Box.kept.rawValue)") }

  // MARK: Orders

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

  /// Gives a file a second name among the app's, in one step.
  private func keep(_ source: String, as name: String) throws(StoreError) {
    let temporary = path(.kept, ".\(name).new")
    try FileSystem.remove(temporary)
    if try FileSystem.link(source, as: temporary) {
      try move(temporary, to: .kept, as: name)
      // Still there if both names were the same file already: the kernel then renames nothing.
      try FileSystem.remove(temporary)
    } else if try FileSystem.kind(of: path(.kept, name)) != .file {
      throw StoreError(.corrupt, "\(source): is missing, and \(path(.kept, name)) does not exist either")
    }
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
