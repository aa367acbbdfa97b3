import Dispatch
import Foundation
import Link
import LinkStore

/// The device behind a ``WCSession``: what the framework's daemon is to an app.
///
/// Calls of the app, grants of the conductor and ends of callbacks each call the session machine under one lock, and
/// commit before they return. Frames and events wait for the answer to the next grant. Callbacks run on one serial
/// queue, outside the lock.
final class SessionRuntime: @unchecked Sendable {
  typealias Keeper = NodeKeeper<SessionNode, DeviceStore<KeyedTables>, SourceFiles>

  weak var session: WCSession?
  let options: SessionOptions
  /// Whether this process is a device of a run, or behaves as a device without one.
  let isSupported: Bool
  /// Whether sessions are supported without a run: the device is then a phone without a watch.
  let isWithoutRun: Bool
  /// The role that the process was started in, before its welcome repeats it.
  private let startRole: NodeRole
  /// The queue of delegate and handlers.
  let queue = DispatchQueue(label: "WatchConnectivity.delegate")
  /// Guards everything below; signalled when an answer was sent, or a callback has ended.
  let condition = NSCondition()

  /// The device; nil until the run has begun.
  var keeper: Keeper?
  /// The app's outgoing files; nil until the run has begun.
  private(set) var sources: SourceFiles?
  var setup: RuntimeSetup?
  /// The instant of the last grant: what the app does between two grants belongs to the earlier one.
  var now = VirtualTime.start
  var wasGranted = false
  /// Frames and events for the answer to the next grant.
  var pending: [Turn.Item] = []
  var pendingBytes = 0
  /// Whether a grant is being answered.
  var isAnswering = false
  /// Whether the app acts only while a grant is answered: in virtual time.
  ///
  /// Nothing is seen of an app before its answer then, so what it does at one grant becomes one commit, and needs no marks of
  /// its events. Where nodes are killed at random moments each call commits, with the answer so far as a journal.
  var followsGrants = false
  /// In virtual time, the answer so far.
  var answerItems = AnswerItems(precedesEnd: false)
  /// With a journal, the number of answered grants; nil without one.
  var answered: UInt64?
  /// Whether each call commits; otherwise each answer does.
  var commitsEachStep: Bool { !followsGrants || answered != nil }
  /// The journal of the previous start, if any.
  private(set) var earlierJournal: (number: UInt64, answer: [UInt8])?
  /// Whether the store has events for the next answer.
  var hasUnreported = false
  /// The armed crash point at which the device has stopped; nothing happens after it.
  var stoppedAt: CrashPoint?
  /// Why the device cannot continue; nil while it can.
  var failure: String?
  /// Whether the run is over: nothing is sent any more.
  var isOver = false

  /// Whether the app was warned that the run has reached its end.
  var hasLoggedEnd = false

  var activationState = WCSessionActivationState.notActivated
  /// Number of calls of `activate()` that are not complete.
  var activationsPending = 0
  /// When a switch of watches deactivated the session, until the app activates it again; nil otherwise.
  var deactivatedAt: VirtualTime?
  var hasWarnedOfDeactivation = false
  /// How often the phone's watch was switched.
  var pairing = 1

  /// The handlers of messages without an outcome so far, by message number.
  var handlers: [UInt64: MessageHandlers] = [:]
  var userInfoTransfers: [WCSessionUserInfoTransfer] = []
  var fileTransfers: [WCSessionFileTransfer] = []
  var currentComplication: WCSessionUserInfoTransfer?
  /// Number of callbacks that have not ended.
  var callbacks = 0
  /// Number of those that deliver received content.
  var contentPending = 0
  /// Whether the queue waits for a watch's app to have its task in the background.
  var isQueueHeld = false
  /// Acts without a handler so far, in order.
  var pendingActs: [PendingAct] = []
  /// The instant of the latest facts, their number, and their bytes.
  var factsAt = VirtualTime.start
  var factCount = 0
  var factBytes = 0
  var hasDroppedFacts = false
  /// The messages of HealthKit and WatchKit.
  var device = DeviceTraffic()
  /// The instant of the latest lines of the log, and their number.
  var logAt = VirtualTime.start
  var logCount = 0
  /// What the scenario's checks follow.
  var checked = CheckedWork()
  /// Reported findings: each text once.
  var findings: Set<String> = []
  /// The entry of each queue that was being delivered when the app died, until it is delivered again.
  var interrupted: [Lane: UInt64] = [:]

  /// How much may wait for an answer, in bytes of payloads, before calls of the app block.
  static let pendingBytesMax = 16 << 20

  init(
    options: SessionOptions, role: NodeRole = .phone, isSupported: Bool = true, isWithoutRun: Bool = false
  ) {
    self.options = options
    startRole = role
    self.isSupported = isSupported
    self.isWithoutRun = isWithoutRun
    queue.setSpecific(key: Self.isOnQueue, value: true)
  }

  /// The device's role; a phone's without a run.
  var role: NodeRole { setup?.role ?? startRole }

  /// Waits until the callbacks so far have returned, where a quirk has getters do so; never inside a callback.
  func waitAsGetter() {
    guard condition.withLock({ keeper != nil && withNode(\.gettersBlock) }),
      DispatchQueue.getSpecific(key: Self.isOnQueue) == nil
    else { return }
    queue.sync {}
  }

  /// Marks the queue of delegate and handlers.
  private static let isOnQueue = DispatchSpecificKey<Bool>()

  // MARK: Beginning

  /// Opens the device's store, and begins a start of the app.
  func begin(_ setup: RuntimeSetup) throws {
    let store = try DeviceStore<KeyedTables>(folder: setup.folder)
    let files = SourceFiles(try DiskFiles(folder: setup.folder))
    try? FileManager.default.removeItem(atPath: Self.inbox(in: setup.folder))
    let owed = try Self.owed(store)
    var origins: [String: String] = [:]
    var keeper = try Keeper(store: store, files: files) { record, marks in
      for (key, value) in marks.values where key.hasPrefix(Self.originPrefix) {
        origins[key] = String(decoding: value, as: UTF8.self)
      }
      for entry in owed where entry.lane == .file {
        files[entry.transfer] = marks.values[SourceFile.prefix + entry.transfer.text].flatMap { SourceFile(mark: $0) }
      }
      return SessionNode(setup, record: record, marks: marks)
    }
    if let answered = setup.answered {
      let last = try keeper.lastJournal()
      earlierJournal = last
      self.answered = max(answered, last?.number ?? 0)
      keeper.journal = { [unowned self] items in journal(items) }
    }
    condition.withLock {
      self.keeper = keeper
      sources = files
      self.setup = setup
      now = setup.now
      for entry in owed { adopt(entry, origins, setup.folder) }
      withNode { node in
        for entry in owed { node.naming?.remember(entry) }
        interrupted = node.earlier.handing
        addUnreported(node.earlier.untoldLines)
      }
    }
  }

  /// Everything that an earlier start has queued and that is still outstanding, in order.
  private static func owed(_ store: DeviceStore<KeyedTables>) throws(StoreError) -> [QueueEntry] {
    var owed: [QueueEntry] = []
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

  /// Creates the object of a transfer that an earlier start has queued.
  private func adopt(_ entry: QueueEntry, _ origins: [String: String], _ folder: String) {
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

  /// The prefix of marks of outgoing files' locations.
  static let originPrefix = "origin."

  static func outgoing(_ transfer: Identifier, in folder: String) -> String { "\(folder)/outgoing/\(transfer.text)" }

  /// The folder of received files while the delegate has them: in the documents of the home folder that a run gives the
  /// app.
  static func inbox(in folder: String) -> String { "\(folder)/home/Documents/Inbox" }

  // MARK: Acting

  /// Accesses the device; the lock is held, and the run has begun.
  @discardableResult
  func withNode<Result>(_ body: (inout SessionNode) -> Result) -> Result {
    guard let result = keeper?.withNode(body) else { preconditionFailure("a device before its run") }
    return result
  }

  /// Calls the device, commits, and notifies the app; the lock is held.
  ///
  /// - Returns: The body's result; nil for a device that does not work (any more).
  func act<Result>(_ body: (inout SessionNode, inout Turn) -> Result) -> Result? {
    waitForRoom()
    guard keeper != nil, failure == nil, !isOver else { return nil }
    var turn = Turn(at: now, isRecording: true)
    do throws(StoreError) {
      guard
        let (result, point) = try keeper?.act(
          in: &turn,
          { (node: inout SessionNode, turn: inout Turn) -> Result in
            let result = body(&node, &turn)
            storeLines(of: &node, in: &turn)
            return result
          })
      else { return nil }
      stoppedAt = point
      if point == nil { stoppedAt = try withdrawUnreadableFiles(in: &turn) }
      put(turn.items)
      if commitsEachStep { try keeper?.endGrant() }
      guard stoppedAt == nil else {
        if !isAnswering { waitForTheEnd() }
        return nil
      }
      notifyApp()
      return result
    } catch {
      fail("its store failed: \(error)")
      return nil
    }
  }

  /// Ends everything; the conductor is notified with the next answer.
  func fail(_ why: String) {
    if failure == nil { failure = why }
    condition.broadcast()
  }

  private func waitForRoom() {
    // An answering thread must not wait for an answer.
    guard !isAnswering else { return }
    if stoppedAt != nil { waitForTheEnd() }
    while pendingBytes > Self.pendingBytesMax, !isOver, failure == nil { condition.wait() }
  }

  /// Waits to be killed, after the device has stopped at a crash point.
  private func waitForTheEnd() {
    while !isOver { condition.wait() }
  }

  /// Withdraws the transfers whose files were found missing or changed; the lock is held.
  ///
  /// - Returns: The armed crash point at which the device has stopped, if any.
  func withdrawUnreadableFiles(in turn: inout Turn) throws(StoreError) -> CrashPoint? {
    while let (transfer, file, problem) = sources?.takeUnreadable() {
      warn(of: file, problem, "so it fails with 7013")
      // The zeros that replaced the file's bytes must not be sent.
      turn.items.removeAll { item in
        if case .frame(let frame) = item { frame.kind == .chunk && frame.transfer == transfer } else { false }
      }
      var lines = Turn(at: now, isRecording: true)
      let point = try keeper?.act(in: &lines) { (node: inout SessionNode, lines: inout Turn) in
        node.withdrawFile(transfer, in: &lines)
        storeLines(of: &node, in: &lines)
      }.stoppedAt
      turn.items += lines.items
      if let point { return point }
    }
    return nil
  }

  /// Warns about a file that is no longer as it was, and its consequence.
  func warn(of file: SourceFile, _ problem: SourceFile.Problem, _ outcome: String) {
    var path = ""
    appendQuoted(file.path, to: &path)
    log(
      "transferFile: \(path) \(problem.text) before the transfer ended, \(outcome): a file is read where it is until "
        + "session(_:didFinish:error:). WRISTWIRE_FILES=copy has it copied at the call")
  }

  func put(_ items: [Turn.Item]) {
    for item in items {
      switch item {
      case .frame(let frame):
        pendingBytes += frame.wireBytes
        pending.append(item)
      case .event: pending.append(item)
      case .frequent: preconditionFailure("this turn passes no values")
      case .change, .appChange, .commit, .crashPoint, .page, .file, .chunk, .handled: break  // Carried out.
      }
    }
  }

  /// Stores events of durable changes for an app that may die before its next answer.
  func storeLines(of node: inout SessionNode, in turn: inout Turn) {
    if !followsGrants, node.keepLines(of: &turn) { hasUnreported = true }
  }

  /// The number of the current answer, and its records so far.
  private func journal(_ items: ArraySlice<Turn.Item>) -> (number: UInt64, answer: [UInt8]) {
    var all = answerItems
    all.add(pending + items)
    var writer = RecordWriter()
    var trace = TraceWriter()
    // Without frames: those are lost, as in any crash.
    for item in all.items {
      switch item {
      case .handled: writer.handled()
      case .event(let event):
        try? writer.line { bytes in
          trace.append(event, to: &bytes)
          bytes.removeLast()
        }
      case .frame, .frequent, .change, .appChange, .commit, .crashPoint, .page, .file, .chunk: break
      }
    }
    return ((answered ?? 0) + 1, writer.bytes)
  }

  /// Adds the events that the previous start could not report.
  private func addUnreported(_ lines: [[UInt8]]) {
    var parser = TraceLineParser()
    for line in lines {
      if let event = try? parser.parse(line[...], line: 1) { pending.append(.event(event)) }
    }
    hasUnreported = !lines.isEmpty
  }

  func log(_ text: @autoclosure () -> String) {
    guard options.logs else { return }
    FileHandle.standardError.write(Data("[WC] \(TerminalText.escape(text()))\n".utf8))
  }
}

extension SessionNode {
  /// Stores events of durable changes until an answer reports them; returns whether there are any.
  mutating func keepLines(of turn: inout Turn) -> Bool {
    var writer: TraceWriter?
    for index in turn.items.indices {
      guard case .event(let event) = turn.items[index], event.name.tellsOfWhatLasts else { continue }
      var bytes: [UInt8] = []
      if writer == nil { writer = TraceWriter() }
      writer?.append(event, to: &bytes)
      bytes.removeLast()
      appendChange(.append(list: EarlierMarks.untold, bytes), in: &turn)
    }
    guard writer != nil else { return false }
    turn.items.append(.commit)
    return true
  }
}

extension TraceEvent.Name {
  /// Whether an event of this name is about a change that outlives the process.
  fileprivate var tellsOfWhatLasts: Bool { text.hasPrefix("transfer.") || text.hasPrefix("context.") }
}
