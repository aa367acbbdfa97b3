import Dispatch
import Foundation
import Link
import LinkStore

/// The device behind a ``WCSession``: what the framework's daemon is to an app.
///
/// Calls of the app, grants of the conductor and ends of callbacks each have the session machine act under one lock, and
/// commit before they return. Frames and lines wait for the answer to the next grant. Whatever the app is told is called
/// on one serial queue, outside the lock.
final class SessionRuntime: @unchecked Sendable {
  typealias Keeper = NodeKeeper<SessionNode, DeviceStore<KeyedTables>, SourceFiles>

  /// Who is told.
  weak var session: WCSession?
  let options: SessionOptions
  /// Whether this process is a device of a run, or is to behave as a device without one.
  let isSupported: Bool
  /// Whether sessions are supported without a run: the device is then a phone that has no watch.
  let isWithoutRun: Bool
  /// Where delegate and handlers are called.
  let queue = DispatchQueue(label: "WatchConnectivity.delegate")
  /// Guards everything below; its signal tells that an answer has left, or that a callback has ended.
  let condition = NSCondition()

  /// The device; nil until the run has begun.
  var keeper: Keeper?
  /// Where the files are that the app sends; nil until the run has begun.
  private(set) var sources: SourceFiles?
  var setup: RuntimeSetup?
  /// The instant of the last grant.
  var now = VirtualTime.start
  var wasGranted = false
  /// Frames and lines for the answer to the next grant.
  var pending: [NodeOutput.Item] = []
  var pendingBytes = 0
  /// Whether the answer to a grant is being made.
  var isAnswering = false
  /// Whether the store holds lines that the next answer tells.
  var hasUntold = false
  /// The armed crash point at which the device has stopped; nothing happens behind it.
  var stoppedAt: CrashPoint?
  /// Why the device cannot go on; nil while it can.
  var failure: String?
  /// Whether the run is over: nothing leaves any more.
  var isOver = false

  /// Whether the app was warned that the run has reached its end.
  var hasLoggedEnd = false

  var activationState = WCSessionActivationState.notActivated
  /// How many calls of `activate()` wait for their end.
  var activationsPending = 0
  /// When a switch of watches deactivated the session, until the app activates it again; nil otherwise.
  var deactivatedAt: VirtualTime?
  var hasWarnedOfDeactivation = false
  /// How often the phone's watch was switched.
  var pairing = 1

  /// The handlers of messages whose outcome is not known yet, by the messages' numbers.
  var handlers: [UInt64: MessageHandlers] = [:]
  var userInfoTransfers: [WCSessionUserInfoTransfer] = []
  var fileTransfers: [WCSessionFileTransfer] = []
  var currentComplication: WCSessionUserInfoTransfer?
  /// How many callbacks have not ended.
  var callbacks = 0
  /// How many of them hand over what was received.
  var contentPending = 0
  /// The entry of each queue that was being handed over when the app died, until it is handed over again.
  var interrupted: [Lane: UInt64] = [:]

  /// How much may wait for an answer, in bytes of payloads, before calls of the app wait too.
  static let pendingBytesMax = 16 << 20

  init(options: SessionOptions, isSupported: Bool = true, isWithoutRun: Bool = false) {
    self.options = options
    self.isSupported = isSupported
    self.isWithoutRun = isWithoutRun
  }

  // MARK: Beginning

  /// Opens what the device keeps, and begins a start of the app.
  func begin(_ setup: RuntimeSetup) throws {
    let store = try DeviceStore<KeyedTables>(folder: setup.folder)
    var files = SourceFiles(try DiskFiles(folder: setup.folder))
    let owned = try store.fileTransfers()
    try files.removeOrphans { owned.contains($0) }
    try? FileManager.default.removeItem(atPath: Self.inbox(in: setup.folder))
    let owed = try Self.owed(store)
    var origins: [String: String] = [:]
    let keeper = try Keeper(store: store, files: files) { record, notes in
      for (key, value) in notes.values where key.hasPrefix(Self.originPrefix) {
        origins[key] = String(decoding: value, as: UTF8.self)
      }
      for entry in owed where entry.lane == .file {
        files[entry.transfer] = notes.values[SourceFile.prefix + entry.transfer.text].flatMap { SourceFile(note: $0) }
      }
      return SessionNode(setup, record: record, notes: notes)
    }
    condition.withLock {
      self.keeper = keeper
      sources = files
      self.setup = setup
      now = setup.now
      for entry in owed { adopt(entry, origins, setup.folder) }
      withNode { node in
        interrupted = node.earlier.handing
        takeUntold(node.earlier.untoldLines)
      }
    }
  }

  /// Everything that an earlier start has queued and that is still owed, in order.
  private static func owed(_ store: DeviceStore<KeyedTables>) throws(StoreError) -> [OutboxEntry] {
    var owed: [OutboxEntry] = []
    for lane in [Lane.complication, .userInfo, .file] {
      var after = SequenceNumber(0)
      while case .outbox(_, let entries) = try store.page(PageOrder(.outbox, lane, after: after)),
        let last = entries.last
      {
        owed += entries.filter { !$0.flags.contains(.void) }
        after = last.seq
      }
    }
    return owed
  }

  /// Makes the object of a transfer that an earlier start has queued.
  private func adopt(_ entry: OutboxEntry, _ origins: [String: String], _ folder: String) {
    let ticket = TransferTicket(self)
    ticket.begin(TransferTicket.Place(lane: entry.lane, seq: entry.seq, transfer: entry.transfer))
    guard entry.lane == .file else {
      let transfer = WCSessionUserInfoTransfer(userInfo: Payload.dictionary(entry.payload) ?? [:], ticket: ticket)
      userInfoTransfers.append(transfer)
      if entry.lane == .complication { makeCurrent(transfer) }
      return
    }
    guard let offer = FileOffer(entry.payload) else { return }
    let path = origins[Self.originPrefix + entry.transfer.text] ?? Self.outgoing(entry.transfer, in: folder)
    let file = WCSessionFile(
      fileURL: URL(fileURLWithPath: path), metadata: offer.metadata.isEmpty ? nil : Payload.dictionary(offer.metadata))
    fileTransfers.append(WCSessionFileTransfer(file: file, byteCount: Int64(offer.byteCount), ticket: ticket))
  }

  /// The note of where a file was that is being sent.
  static let originPrefix = "origin."

  static func outgoing(_ transfer: Identifier, in folder: String) -> String { "\(folder)/outgoing/\(transfer.text)" }

  /// Where received files are while the delegate has them: in the documents of the home folder that a run gives the app.
  static func inbox(in folder: String) -> String { "\(folder)/home/Documents/Inbox" }

  // MARK: Acting

  /// Looks at the device; the lock is held, and the run has begun.
  @discardableResult
  func withNode<Result>(_ body: (inout SessionNode) -> Result) -> Result {
    guard let result = keeper?.withNode(body) else { preconditionFailure("a device before its run") }
    return result
  }

  /// Has the device act, makes that durable and tells the app; the lock is held.
  ///
  /// - Returns: What the body returned; nil for a device that does not work (any more).
  func act<Result>(_ body: (inout SessionNode, inout NodeOutput) -> Result) -> Result? {
    waitForRoom()
    guard keeper != nil, failure == nil, !isOver else { return nil }
    var output = NodeOutput(isRecording: true)
    do throws(StoreError) {
      let now = now
      guard
        let (result, point) = try keeper?.act(
          at: now, into: &output,
          { (node: inout SessionNode, output: inout NodeOutput) -> Result in
            let result = body(&node, &output)
            if node.keepLines(of: &output) { hasUntold = true }
            return result
          })
      else { return nil }
      stoppedAt = point
      if point == nil { stoppedAt = try withdrawUnreadableFiles(into: &output) }
      try keeper?.endGrant()
      put(output.items)
      guard stoppedAt == nil else {
        if !isAnswering { waitForTheEnd() }
        return nil
      }
      tellApp()
      return result
    } catch {
      fail("its store failed: \(error)")
      return nil
    }
  }

  /// Ends everything; the conductor is told with the next answer.
  func fail(_ why: String) {
    if failure == nil { failure = why }
    condition.broadcast()
  }

  private func waitForRoom() {
    // Who answers must not wait for an answer.
    guard !isAnswering else { return }
    if stoppedAt != nil { waitForTheEnd() }
    while pendingBytes > Self.pendingBytesMax, !isOver, failure == nil { condition.wait() }
  }

  /// A device that has come to a crash point does nothing more: it waits to be killed.
  private func waitForTheEnd() {
    while !isOver { condition.wait() }
  }

  /// Withdraws the transfers whose files were found gone or changed; the lock is held.
  ///
  /// - Returns: The armed crash point at which the device has stopped; nil for none.
  func withdrawUnreadableFiles(into output: inout NodeOutput) throws(StoreError) -> CrashPoint? {
    while let (transfer, file, problem) = sources?.takeUnreadable() {
      warn(of: file, problem, "so it fails with 7013")
      // What was read in place of the file's bytes must not leave.
      output.items.removeAll { item in
        if case .frame(let frame) = item { frame.kind == .chunk && frame.transfer == transfer } else { false }
      }
      var lines = NodeOutput(isRecording: true)
      let point = try keeper?.act(at: now, into: &lines) { (node: inout SessionNode, output: inout NodeOutput) in
        node.withdrawFile(transfer, into: &output)
        if node.keepLines(of: &output) { hasUntold = true }
      }.stoppedAt
      output.items += lines.items
      if let point { return point }
    }
    return nil
  }

  /// Warns of a file that its app no longer has as it was, and says what comes of it.
  func warn(of file: SourceFile, _ problem: SourceFile.Problem, _ outcome: String) {
    var path = ""
    appendQuoted(file.path, to: &path)
    log(
      "transferFile: \(path) \(problem.text) before the transfer ended, \(outcome): a file is read where it is until "
        + "session(_:didFinish:error:). WRISTWIRE_FILES=copy has it copied at the call")
  }

  func put(_ items: [NodeOutput.Item]) {
    for item in items {
      switch item {
      case .frame(let frame):
        pendingBytes += frame.wireBytes
        pending.append(item)
      case .event: pending.append(item)
      case .change, .appChange, .commit, .crashPoint, .page, .file, .chunk, .handled: break  // Carried out.
      }
    }
  }

  /// Takes the lines that the start before did not live to tell.
  private func takeUntold(_ lines: [[UInt8]]) {
    var parser = TraceLineParser()
    for line in lines {
      if let event = try? parser.parse(line[...], line: 1) { pending.append(.event(event)) }
    }
    hasUntold = !lines.isEmpty
  }

  func log(_ text: @autoclosure () -> String) {
    guard options.logs else { return }
    FileHandle.standardError.write(Data("[WC] \(TerminalText.escape(text()))\n".utf8))
  }
}

extension SessionNode {
  /// Keeps the lines of durable changes until an answer tells them; true where there are any.
  mutating func keepLines(of output: inout NodeOutput) -> Bool {
    var writer: TraceWriter?
    for index in output.items.indices {
      guard case .event(let event) = output.items[index], event.name.tellsOfWhatLasts else { continue }
      var bytes: [UInt8] = []
      if writer == nil { writer = TraceWriter() }
      writer?.append(event, to: &bytes)
      bytes.removeLast()
      keep(.append(list: EarlierNotes.untold, bytes), into: &output)
    }
    guard writer != nil else { return false }
    output.items.append(.commit)
    return true
  }
}

extension TraceEvent.Name {
  /// Whether a line of this name tells of a change that outlives the process.
  fileprivate var tellsOfWhatLasts: Bool { text.hasPrefix("transfer.") || text.hasPrefix("context.") }
}
