/// Runs a node for a host: calls its machine, and carries out its orders for store and files.
///
/// Hosts in the conductor's process and node processes share this type, so that a node behaves the same in either. A
/// host calls ``beginGrant()``, ``receive(_:in:)`` for each input of a grant, and ``endGrant()`` before it sends any of
/// the answer:
///
/// * The transactions of one grant become one commit of the store, because nothing that follows from them leaves the
/// node earlier. Only a requested page and an armed crash point commit sooner.
/// * Files are written, moved and given to the app at once, in order. They are discarded after the commit that this
/// follows from. A start finds the store before or after a grant, and takes back what the files are ahead of it.
/// * At an armed crash point the node stops: everything before the point has happened, and nothing after it. The host
/// then kills it. At a point of ``CrashPoint/files`` that loses the grant nothing is committed, and the host drops the
/// answer.
public struct NodeKeeper<Node: HostedNode, Store: NodeStore, Files: FileBox> where Store.Change == Node.Change {
  @usableFromInline var machine: Node
  /// The node, for reading.
  public var node: Node { machine }
  /// The part that survives a crash.
  @usableFromInline var store: Store
  @usableFromInline var files: Files
  /// The crash points at which the node stops.
  public var armed: [CrashPoint] = []
  /// With a journal: returns the number of the current grant and its answer so far, including the given items.
  ///
  /// It becomes durable together with the effects that the answer reports, so that a node that dies between its commit
  /// and its answer can report them at its next start.
  public var journal: ((ArraySlice<Turn.Item>) -> (number: UInt64, answer: [UInt8]))?

  /// Changes that are not durable yet, in order, and how many of them are in closed transactions.
  @usableFromInline var changes: [SessionChange] = []
  @usableFromInline var appChanges: [Node.Change] = []
  @usableFromInline var closed = 0
  @usableFromInline var appClosed = 0
  @usableFromInline var discards: [FileOrder] = []
  /// Whether a grant has begun and nothing of it is committed.
  @usableFromInline var canLoseGrant = false
  /// The app changes of the machine's calls since the last input.
  @usableFromInline var reported: [Node.Change] = []

  /// Starts the node.
  ///
  /// - Parameters:
  ///   - store: The node's store, opened.
  ///   - files: The node's files.
  ///   - build: Creates the machine from the contents of its store.
  public init(
    store: Store, files: Files, build: (SessionRecord, Store.Record) -> Node
  ) throws(StoreError) {
    var store = store
    var files = files
    let (session, app) = try Self.begin(&store, &files)
    machine = build(session, app)
    self.store = store
    self.files = files
    epoch = session.epoch
  }

  /// The node's current epoch.
  public private(set) var epoch: Epoch
  /// When the machine must be called, and whether its workout is over.
  @inlinable public mutating func readGlance() -> NodeGlance { machine.readGlance() }

  /// Starts the node again, as after a crash: changes that are not durable are lost.
  public mutating func restart(build: (SessionRecord, Store.Record) -> Node) throws(StoreError) {
    changes = []
    appChanges = []
    closed = 0
    appClosed = 0
    discards = []
    canLoseGrant = false
    let (session, app) = try Self.begin(&store, &files)
    epoch = session.epoch
    machine = build(session, app)
  }

  /// Loses what a loss of power takes from the store; the node must be restarted afterwards.
  public mutating func losePower(draw: UInt64) throws(StoreError) -> PowerLoss { try store.losePower(draw: draw) }

  /// Begins an epoch, and brings the files to the state of the store.
  private static func begin(
    _ store: inout Store, _ files: inout Files
  ) throws(StoreError) -> (session: SessionRecord, app: Store.Record) {
    var (session, app) = try store.begin()
    try checkPartialFile(session)
    if let owned = try store.fileTransfers() { try files.removeOrphans { owned.contains($0) } }
    if let partial = session.partial, !partial.flags.contains(.void),
      try files.takeBack(partial.transfer) < partial.receivedBytes
    {
      session.partial = partial.restarted
    }
    for name in store.orphans(among: try files.keptNames(), of: app) { try files.carryOut(.remove(name)) }
    return (session, app)
  }

  /// Refuses a partial file that no session has stored, since the session does not check it again.
  private static func checkPartialFile(_ record: SessionRecord) throws(StoreError) {
    guard let file = record.partial else { return }
    guard file.seq.rawValue == record[.file].receivedThrough.rawValue + 1, file.canContinue else {
      throw StoreError(.corrupt, "the table PartialFile of the store holds an invalid row")
    }
  }

  /// Passes an input to the node, or fires its timers if nil.
  ///
  /// The turn then contains only frames and lines; chunks have become frames with their bytes.
  ///
  /// - Returns: The armed crash point at which it stopped, which ends the orders, if any.
  @inlinable
  public mutating func receive(_ input: NodeInput?, in turn: inout Turn) throws(StoreError) -> CrashPoint? {
    var index = turn.items.count
    machine.receive(input, in: &turn)
    while index < turn.items.count {
      switch turn.items[index] {
      case .frame, .event, .frequent, .handled: index += 1
      case .change, .appChange, .commit, .crashPoint, .page, .file, .chunk:
        return try carryOut(from: index, in: &turn)
      }
    }
    return nil
  }

  /// Begins a grant, for a host that drops the answer of a node that stops at a point of ``CrashPoint/files``.
  @inlinable public mutating func beginGrant() { canLoseGrant = true }

  /// Makes all effects durable that the grant's answer reports.
  ///
  /// - Returns: The armed crash point at which it stopped, if any.
  @inlinable @discardableResult
  public mutating func endGrant() throws(StoreError) -> CrashPoint? {
    let stops: [CrashPoint] = canLoseGrant && !discards.isEmpty ? [.discardPending, .discardBegun] : []
    canLoseGrant = false
    guard closed > 0 || appClosed > 0 || !discards.isEmpty else { return nil }
    if let point = stops.first(where: armed.contains) {
      try commitClosed([])
      if point == .discardBegun, changes.isEmpty, appChanges.isEmpty {
        try store.sync()
        try files.carryOut(discards.removeFirst())
      }
      return point
    }
    try flush([])
    return nil
  }

  /// The journal of the last commit, if any.
  public mutating func lastJournal() throws(StoreError) -> (number: UInt64, answer: [UInt8])? {
    try store.lastJournal()
  }

  @inlinable @inline(never)
  mutating func carryOut(from first: Int, in turn: inout Turn) throws(StoreError) -> CrashPoint? {
    // The numbers of `appChange` items restart at 0 in each call of the machine, and an answer to a page is another
    // call. Nothing is left of the last call: each `appChange` was carried out, or committed with its transaction.
    reported.removeFew()
    machine.takeChanges(into: &reported)
    var base = 0
    var later: [(first: Int, base: Int)] = []
    var index = first
    while index < turn.items.count {
      if let next = later.first, next.first == index {
        base = next.base
        later.removeFirst()
      }
      switch turn.items[index] {
      case .frame, .event, .frequent, .handled: break
      case .change(let change): changes.append(change)
      case .appChange(let number): appChanges.append(reported[base + number])
      case .commit:
        closed = changes.count
        appClosed = appChanges.count
      case .crashPoint(let point):
        if armed.contains(point) {
          turn.items.removeSubrange((index + 1)...)
          try flush(turn.items[...])
          return point
        }
      case .page(let order):
        try flush(turn.items[..<index])
        let page = try store.page(order)
        later.append((turn.items.count, reported.count))
        machine.receive(.page(page), in: &turn)
        machine.takeChanges(into: &reported)
      case .file(let order):
        switch order {
        case .create, .write, .moveToInbox, .keep, .make:
          try files.carryOut(order)
          if canLoseGrant, !armed.isEmpty, let point = CrashPoint(uncommitted: order), armed.contains(point) {
            return point
          }
        case .discardOutgoing, .discardIncoming, .remove: discards.append(order)
        }
      case .chunk(var frame, let count):
        frame.payload = try files.read(frame.transfer, offset: frame.offset, count: count)
        turn.items[index] = .frame(frame)
      }
      index += 1
    }
    return nil
  }

  /// Commits the closed transactions; an open one waits for its end.
  ///
  /// - Parameter items: The orders that are not in the answer yet.
  @inlinable @inline(never)
  mutating func flush(_ items: ArraySlice<Turn.Item>) throws(StoreError) {
    try commitClosed(items)
    guard changes.isEmpty, appChanges.isEmpty, !discards.isEmpty else { return }
    // An older state of the store may still need the files.
    try store.sync()
    for order in discards { try files.carryOut(order) }
    discards.removeAll(keepingCapacity: true)
  }

  @inlinable
  mutating func commitClosed(_ items: ArraySlice<Turn.Item>) throws(StoreError) {
    if closed > 0 || appClosed > 0 {
      canLoseGrant = false
      let journal = journal?(items)
      if closed == changes.count, appClosed == appChanges.count {
        try store.commit(changes, appChanges, journal: journal)
        changes.removeFew()
        appChanges.removeFew()
      } else {
        try store.commit(Array(changes[..<closed]), Array(appChanges[..<appClosed]), journal: journal)
        changes.removeSubrange(..<closed)
        appChanges.removeSubrange(..<appClosed)
      }
      closed = 0
      appClosed = 0
    }
  }
}

/// A node whose app acts by itself, not only on the inputs of a grant.
extension NodeKeeper {
  /// Lets the node act, and carries out its orders for store and files.
  ///
  /// The turn then contains only frames and lines, for the answer to the next grant. The host calls ``endGrant()``
  /// before it reports the act as durable.
  ///
  /// - Parameters:
  ///   - turn: Receives frames, lines and changes for the store.
  ///   - body: May call the machine repeatedly; changes of the app are numbered over all calls.
  /// - Returns: The result of `body`, and the armed crash point at which the node stopped, which ends the orders; nil
  ///   for none.
  public mutating func act<Result>(
    in turn: inout Turn, _ body: (inout Node, inout Turn) -> Result
  ) throws(StoreError) -> (result: Result, stoppedAt: CrashPoint?) {
    let first = turn.items.count
    let result = body(&machine, &turn)
    return (result, try carryOut(from: first, in: &turn))
  }

  /// Reads the node, or changes it without orders.
  public mutating func withNode<Result>(_ body: (inout Node) -> Result) -> Result { body(&machine) }
}
