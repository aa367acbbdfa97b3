import Link

/// A store's samples, and what was removed.
struct HealthStoreState: Sendable {
  struct Entry: Sendable {
    /// Rises with each change: the anchor of a query.
    var number: Int64
    var sample: HealthSample
    /// Whether it came from the other device, or is sent to it.
    var isSynced: Bool
  }
  struct Removed: Sendable {
    var number: Int64
    var uuid: Identifier
    var type: String
  }

  private(set) var entries: [Entry] = []
  private(set) var removed: [Removed] = []
  /// The number of the last change.
  private(set) var last: Int64 = 0
  private var names: Set<Identifier> = []

  func has(_ uuid: Identifier) -> Bool { names.contains(uuid) }

  mutating func add(_ sample: HealthSample, isSynced: Bool = false) {
    last += 1
    names.insert(sample.uuid)
    entries.append(Entry(number: last, sample: sample, isSynced: isSynced))
  }

  mutating func remove(where isGone: (HealthSample) -> Bool) {
    let gone = entries.filter { isGone($0.sample) }
    guard !gone.isEmpty else { return }
    for entry in gone {
      last += 1
      names.remove(entry.sample.uuid)
      removed.append(Removed(number: last, uuid: entry.sample.uuid, type: entry.sample.type))
    }
    entries.removeAll { isGone($0.sample) }
  }

  /// The first samples that the other device does not have.
  func unsynced(atMost count: Int, where isWanted: (HealthSample) -> Bool) -> [HealthSample] {
    var found: [HealthSample] = []
    for entry in entries where !entry.isSynced && isWanted(entry.sample) {
      found.append(entry.sample)
      if found.count == count { break }
    }
    return found
  }

  var isAllSynced: Bool { entries.allSatisfy(\.isSynced) }

  mutating func markSynced(_ uuids: Set<Identifier>) {
    for index in entries.indices where uuids.contains(entries[index].sample.uuid) { entries[index].isSynced = true }
  }

  mutating func attach(_ uuids: Set<Identifier>, to workout: Identifier) {
    for index in entries.indices where uuids.contains(entries[index].sample.uuid) {
      entries[index].sample.workout = workout
    }
  }
}

/// A query that reports changes.
struct HealthObserver: Sendable, Equatable {
  var id: Int64
  var types: [String]
}

/// Saving, deleting, reading.
extension HealthDaemon {
  /// The source that the app's own samples have.
  var appSource: String { role == .watch ? "app.watch" : "app.phone" }

  mutating func carryOutStore(_ request: DeviceMessage) {
    switch request.name {
    case "store.save": save(request)
    case "store.delete": delete(request)
    case "store.read": read(request)
    case "store.observe":
      let observer = HealthObserver(id: request.fields.integer("observer"), types: request.fields.texts("types"))
      observers.append(observer)
      tellWake(observer)
    case "store.unobserve": observers.removeAll { $0.id == request.fields.integer("observer") }
    case "store.deliver": setDelivery(request)
    case "store.handled": endWake(request.fields.integer("wake"))
    default: ignore(request, "no call of that name")
    }
  }

  private mutating func save(_ request: DeviceMessage) {
    let samples = request.fields.list("samples").map { HealthSample($0) }
    if let (code, why) = obstacle(to: samples) { return refuse(request, code: code, why) }
    var changed: Set<String> = []
    for var sample in samples {
      sample.source = appSource
      if !replaceEarlier(of: sample) { continue }
      store.add(sample)
      changed.insert(sample.type)
    }
    answer(request)
    tellObservers(of: changed)
  }

  /// Why samples cannot be saved: all or none of them are.
  private func obstacle(to samples: [HealthSample]) -> (Int64, String)? {
    if samples.isEmpty { return (HealthCode.invalidArgument, "no objects to save") }
    for sample in samples {
      switch access(to: sample.type).share {
      case 0: return (HealthCode.notDetermined, "Authorization not determined")
      case 1: return (HealthCode.denied, "Not authorized")
      default: break
      }
      if sample.end < sample.start { return (HealthCode.invalidArgument, "the end is before the start") }
      if store.has(sample.uuid) { return (HealthCode.invalidArgument, "an object with this UUID is saved already") }
    }
    return nil
  }

  /// Removes an earlier version of a sample with a sync identifier; false if the new one is not newer.
  private mutating func replaceEarlier(of sample: HealthSample) -> Bool {
    let name = sample.metadata.text("HKMetadataKeySyncIdentifier")
    guard !name.isEmpty else { return true }
    func version(_ sample: HealthSample) -> Int64 { sample.metadata.integer("HKMetadataKeySyncVersion") }
    func isEarlier(_ other: HealthSample) -> Bool {
      other.type == sample.type && other.source == sample.source
        && other.metadata.text("HKMetadataKeySyncIdentifier") == name
    }
    guard let earlier = store.entries.first(where: { isEarlier($0.sample) }) else { return true }
    guard version(sample) > version(earlier.sample) else { return false }
    store.remove { isEarlier($0) }
    return true
  }

  private mutating func delete(_ request: DeviceMessage) {
    let uuids = Set(request.fields.list("uuids").map { [DeviceField("uuid", $0)].identifier("uuid") })
    let found = store.entries.filter { uuids.contains($0.sample.uuid) }
    guard !uuids.isEmpty, found.count == uuids.count else {
      return refuse(request, code: HealthCode.invalidArgument, "an object is not in the store")
    }
    guard found.allSatisfy({ $0.sample.source == appSource && access(to: $0.sample.type).share == 2 }) else {
      return refuse(request, code: HealthCode.denied, "Not authorized")
    }
    let types = Set(found.map(\.sample.type))
    store.remove { uuids.contains($0.uuid) }
    answer(request)
    tellObservers(of: types)
  }

  private mutating func read(_ request: DeviceMessage) {
    let types = request.fields.texts("types")
    if has(.locked) {
      hasRefusedReads = true
      return refuse(request, code: HealthCode.inaccessible, "Protected health data is inaccessible")
    }
    if types.contains(where: { access(to: $0).read == 0 && access(to: $0).share == 0 }) {
      return refuse(request, code: HealthCode.notDetermined, "Authorization not determined")
    }
    let from = request.fields.integer("from")
    let to = request.fields.integer("to")
    let allowed = Set(types.filter { access(to: $0).read == 2 })
    let wanted = Set(types)
    let after = anchor(of: request, types: wanted)
    let appSource = appSource
    let samples = store.entries.filter { entry in
      let sample = entry.sample
      return entry.number > after && wanted.contains(sample.type) && (to == 0 || sample.start < to)
        && (from == 0 || sample.end >= from) && (allowed.contains(sample.type) || sample.source == appSource)
    }.map(\.sample.encoded)
    let removed = store.removed.filter { $0.number > after && wanted.contains($0.type) }
    answer(
      request, code: 0, text: "",
      [
        DeviceField("samples", .list(samples)),
        DeviceField("removed", .list(removed.map { .identifier($0.uuid) })),
        DeviceField("anchor", .integer(store.last)),
      ])
  }

  /// The change after which a request reads: after a read that the lock refused, one or two samples come again.
  private mutating func anchor(of request: DeviceMessage, types: Set<String>) -> Int64 {
    let after = request.fields.integer("after")
    guard after > 0, hasRefusedReads else { return after }
    hasRefusedReads = false
    let known = store.entries.filter { $0.number <= after && types.contains($0.sample.type) }
    return known.suffix(1 + Int(draw(below: 2))).first.map { $0.number - 1 } ?? after
  }

  /// Tells the app's queries that types have changed.
  mutating func tellObservers(of types: Set<String>) {
    let types = types.subtracting(planWake(for: types))
    for observer in observers where observer.types.contains(where: types.contains) {
      let changed = observer.types.filter { types.contains($0) }
      tell(DeviceMessage("store.changed", ["observer": .integer(observer.id), "types": .texts(changed)]))
    }
  }

  // MARK: To the other device

  /// When the next samples are sent to the phone's store; nil for never.
  var syncDueAt: VirtualTime? { isLinkUp && !has(.syncHeld) ? syncAt : nil }

  /// Has the new samples brought to the phone, after a while.
  mutating func scheduleSync() {
    guard role == .watch, syncAt == nil, !isSyncOver else { return }
    syncAt = now + drawSpan(setup.settings.syncLag, setup.settings.syncLag * 4)
  }

  /// Brings nothing more to the phone.
  mutating func endSync() {
    isSyncOver = true
    syncAt = nil
    wakes.dueAt = nil
  }

  /// Sends some samples; a workout first, and what belongs to it in a later batch, as often as not.
  mutating func synchronize() {
    syncAt = nil
    guard pipes[1].backlog == 0 else {
      syncAt = now + .seconds(1)
      return
    }
    let sendsWorkoutsFirst = draw(below: 2) == 0
    var batch = sendsWorkoutsFirst ? store.unsynced(atMost: 1) { $0.kind == .workout } : []
    let holdsOthers = !batch.isEmpty
    if batch.isEmpty { batch = store.unsynced(atMost: 60) { _ in true } }
    guard !batch.isEmpty else { return }
    store.markSynced(Set(batch.map(\.uuid)))
    pipes[1].send(DeviceMessage("sync", ["samples": .list(batch.map(\.encoded))]), at: now)
    guard !store.isAllSynced, !isSyncOver else { return }
    syncAt = now + (holdsOthers ? drawSpan(.seconds(5), setup.settings.syncLag) : .milliseconds(200))
  }

  /// Adds samples that came from the watch.
  mutating func receiveSync(_ message: DeviceMessage) {
    var types: Set<String> = []
    var samples: Int64 = 0
    var workouts: Int64 = 0
    for value in message.fields.list("samples") {
      let sample = HealthSample(value)
      guard !store.has(sample.uuid) else { continue }
      store.add(sample, isSynced: true)
      types.insert(sample.type)
      samples += 1
      if sample.kind == .workout { workouts += 1 }
    }
    record(HealthSamplesSynced.self) {
      $0.samples = samples
      $0.workouts = workouts
    }
    tellObservers(of: types)
  }
}
