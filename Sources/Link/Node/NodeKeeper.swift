/// Keeps a node for a host: has its machine act, and carries out what concerns its store and its files.
///
/// Hosts in the conductor's process and node processes both use this, so that a node does the same in either. A host
/// calls ``receive(_:at:into:)`` for each input of a grant, and ``endGrant()`` before anything of the answer leaves:
///
/// * The transactions of one grant become one commit of the store, because nothing that follows from them leaves the
///   node earlier. Only a page that is asked for, and a crash point that is armed, call for it sooner.
/// * Files are written, placed and handed to the app at once, in order. What is discarded is discarded after the
///   commit that it follows from; each of these orders can be repeated after a crash.
/// * At an armed crash point the node stops: what stands before the point has happened, and nothing behind it. The
///   host then kills it.
public struct NodeKeeper<Node: HostedNode, Store: NodeStore, Files: FileBox> where Store.Change == Node.Change {
  @usableFromInline var machine: Node
  /// The node as it is, to look at.
  public var node: Node { machine }
  /// What of it outlives a crash.
  @usableFromInline var store: Store
  @usableFromInline var files: Files
  /// The crash points at which it is to stop.
  public var armed: [CrashPoint] = []
  /// Says, where a journal is kept, which grant this is and what of its answer there is, the items at hand included.
  ///
  /// It becomes durable together with what the answer tells of, so that a node that dies between its commit and its
  /// answer can still tell at its next start.
  public var journal: ((ArraySlice<NodeOutput.Item>) -> (number: UInt64, answer: [UInt8]))?

  /// Durable changes that are not durable yet, in order, and how many of them closed transactions hold.
  @usableFromInline var changes: [SessionChange] = []
  @usableFromInline var appChanges: [Node.Change] = []
  @usableFromInline var closed = 0
  @usableFromInline var appClosed = 0
  @usableFromInline var discards: [FileOrder] = []
  /// What the machine said that its app wants kept, as its calls since the last input said it.
  @usableFromInline var told: [Node.Change] = []

  /// Begins a start of the node.
  ///
  /// - Parameter build: Makes the machine from what its store holds.
  public init(
    store: Store, files: Files, build: (SessionRecord, Store.Record) -> Node
  ) throws(StoreError) {
    var store = store
    let (session, app) = try store.begin()
    try Self.check(session)
    machine = build(session, app)
    self.store = store
    self.files = files
    epoch = session.epoch
  }

  /// Which start of the node this is.
  public private(set) var epoch: Epoch
  /// When the machine must be called, and whether its workout is over.
  @inlinable public mutating func look() -> NodeGlance { machine.look() }

  /// Begins the next start of the node, as after a crash: what was not durable is forgotten.
  public mutating func restart(build: (SessionRecord, Store.Record) -> Node) throws(StoreError) {
    changes = []
    appChanges = []
    closed = 0
    appClosed = 0
    discards = []
    let (session, app) = try store.begin()
    try Self.check(session)
    epoch = session.epoch
    machine = build(session, app)
  }

  /// Refuses a partial file that no session stores: the session takes it for its own and does not check it again.
  private static func check(_ record: SessionRecord) throws(StoreError) {
    guard let file = record.partial else { return }
    guard file.seq.rawValue == record[.file].receivedThrough.rawValue + 1, file.canGoOn else {
      throw StoreError(.corrupt, "the table PartialFile of the store holds what no device writes")
    }
  }

  /// Has the node take an input, or fire its timers for nil.
  ///
  /// What is left in the output for the conductor are frames and lines; chunks are filled and have become frames.
  ///
  /// - Returns: The armed crash point at which it stopped, and with which the output ends; nil for none.
  @inlinable
  public mutating func receive(
    _ input: NodeInput?, at now: VirtualTime, into output: inout NodeOutput
  ) throws(StoreError) -> CrashPoint? {
    var index = output.items.count
    machine.receive(input, at: now, into: &output)
    while index < output.items.count {
      switch output.items[index] {
      case .frame, .event, .handled: index += 1
      case .change, .appChange, .commit, .crashPoint, .page, .file, .chunk:
        return try carryOut(from: index, at: now, into: &output)
      }
    }
    return nil
  }

  /// Makes everything durable that the grant's answer tells of.
  @inlinable
  public mutating func endGrant() throws(StoreError) {
    guard closed > 0 || appClosed > 0 || !discards.isEmpty else { return }
    try flush([])
  }

  /// What the last commit with a journal had there; nil for none.
  public mutating func lastJournal() throws(StoreError) -> (number: UInt64, answer: [UInt8])? {
    try store.lastJournal()
  }

  @inlinable @inline(never)
  mutating func carryOut(
    from first: Int, at now: VirtualTime, into output: inout NodeOutput
  ) throws(StoreError) -> CrashPoint? {
    // The numbers of `appChange` items count from 0 in each call of the machine; an answer to a page is a further call.
    // Of the last call there is nothing left: every `appChange` was carried out, or its transaction with it.
    told.removeFew()
    machine.takeChanges(into: &told)
    var base = 0
    var later: [(first: Int, base: Int)] = []
    var index = first
    while index < output.items.count {
      if let next = later.first, next.first == index {
        base = next.base
        later.removeFirst()
      }
      switch output.items[index] {
      case .frame, .event, .handled: break
      case .change(let change): changes.append(change)
      case .appChange(let number): appChanges.append(told[base + number])
      case .commit:
        closed = changes.count
        appClosed = appChanges.count
      case .crashPoint(let point):
        if armed.contains(point) {
          output.items.removeSubrange((index + 1)...)
          try flush(output.items[...])
          return point
        }
      case .page(let order):
        try flush(output.items[..<index])
        let page = try store.page(order)
        later.append((output.items.count, told.count))
        machine.receive(.page(page), at: now, into: &output)
        machine.takeChanges(into: &told)
      case .file(let order):
        switch order {
        case .create, .write, .place, .keep, .make: try files.carryOut(order)
        case .discardOutgoing, .discardIncoming, .remove: discards.append(order)
        }
      case .chunk(var frame, let count):
        frame.payload = try files.read(frame.transfer, offset: frame.offset, count: count)
        output.items[index] = .frame(frame)
      }
      index += 1
    }
    return nil
  }

  /// Commits the closed transactions; one that is still open waits for its end.
  ///
  /// - Parameter items: What of the output is not in the answer yet.
  @inlinable @inline(never)
  mutating func flush(_ items: ArraySlice<NodeOutput.Item>) throws(StoreError) {
    if closed > 0 || appClosed > 0 {
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
    guard changes.isEmpty, appChanges.isEmpty, !discards.isEmpty else { return }
    for order in discards { try files.carryOut(order) }
    discards.removeAll(keepingCapacity: true)
  }
}
