import Console
import Link

/// Both devices over a whole run, for a page that shows them at any instant: the first state, and what changes when.
///
/// Frames and the figures of snapshots are not in it: a report has tables of them. The size is bounded: the more there
/// is, the further apart are the instants at which changes are recorded.
struct PairChanges {
  private var state: PairState
  private let header: TraceHeader
  private let first: JSONValue
  /// What the page has been told so far.
  private var shown: JSONValue
  private var paths = ReportWords()
  /// `[t, path, value, path, value, ...],...`: microseconds, the number of a path, a value.
  private var rows: [UInt8] = []
  /// The instant of the latest change that is not recorded; nil if there is none.
  private var changedAt: VirtualTime?
  private var recordedAt = VirtualTime.start
  private(set) var isCut = false

  /// The limit of the rows, in bytes.
  private static let bytesMax = 3 << 20
  /// How far apart recorded instants are, in seconds, once the rows have a size, in bytes.
  private static let spacings: [(bytes: Int, seconds: Int64)] = [
    (2 << 20, 600), (3 << 19, 60), (1 << 20, 10), (1 << 19, 1),
  ]

  init(_ header: TraceHeader) {
    self.header = header
    state = PairState(header: header)
    first = Self.picture(state)
    shown = first
  }

  mutating func observe(_ event: TraceEvent) {
    if let changedAt, event.time > changedAt, event.time >= recordedAt + spacing { record(at: changedAt) }
    let before = Glimpse(state)
    state.observe(event)
    switch event.body {
    case .frameSent, .frameDelivered, .frameDropped, .frameDuplicated: return
    case .snapshot, .snapshotFresh: guard before != Glimpse(state) else { return }
    default: break
    }
    changedAt = event.time
  }

  private var spacing: VirtualTime.Span {
    .seconds(Self.spacings.first { rows.count >= $0.bytes }?.seconds ?? 0)
  }

  private mutating func record(at time: VirtualTime) {
    changedAt = nil
    guard rows.count < Self.bytesMax else { return isCut = true }
    let picture = Self.picture(state)
    var changes: [JSONNode] = []
    compare(shown, picture, path: "", into: &changes)
    shown = picture
    guard !changes.isEmpty else { return }
    recordedAt = time
    let row = JSONNode(.array([JSONNode(.integer(ReportCollector.microseconds(time)))] + changes))
    if !rows.isEmpty { rows.append(UInt8(ascii: ",")) }
    ReportJSON.append(row, to: &rows)
  }

  /// Appends the numbers of the paths at which two values differ, each with the new value.
  ///
  /// A path that ends in `/+` appends to a list; one in `/>` also removes the list's first element.
  private mutating func compare(_ old: JSONValue, _ new: JSONValue, path: String, into changes: inout [JSONNode]) {
    guard old != new else { return }
    switch (old, new) {
    case (.object(let old), .object(let new)) where isSplit(old, new, path):
      for (old, new) in zip(old, new) {
        compare(old.node.value, new.node.value, path: path.isEmpty ? new.key : "\(path)/\(new.key)", into: &changes)
      }
    case (.array(let old), .array(let new))
    where !old.isEmpty && new.count == old.count + 1 && new.dropLast() == old[...]:
      add("\(path)/+", new[old.count].value, to: &changes)
    case (.array(let old), .array(let new)) where !old.isEmpty && old.count == new.count:
      if old.count > 1, old.dropFirst() == new.dropLast() {
        return add("\(path)/>", new[new.count - 1].value, to: &changes)
      }
      for (index, pair) in zip(old, new).enumerated() {
        compare(pair.0.value, pair.1.value, path: "\(path)/\(index)", into: &changes)
      }
    default: add(path, new, to: &changes)
    }
  }

  /// Whether two objects are compared member by member: keys of a trace that somebody wrote may be anything.
  private func isSplit(_ old: [JSONMember], _ new: [JSONMember], _ path: String) -> Bool {
    path.utf8.count < 100 && old.count == new.count
      && zip(old, new).allSatisfy { $0.key == $1.key && $0.key.utf8.count < 30 && !$0.key.contains("/") }
  }

  private mutating func add(_ path: String, _ value: JSONValue, to changes: inout [JSONNode]) {
    changes += [JSONNode(.integer(paths.index(of: path))), JSONNode(value)]
  }

  /// Appends everything as an object; call it once, at the end.
  mutating func finish(to bytes: inout [UInt8]) {
    if let changedAt { record(at: changedAt) }
    var run = PairRun.members(header, at: .start)
    run += [JSONMember]([
      "title": .string(""), "recorded": .bool(true), "stores": .array([]), "acts": .array([]),
    ])
    bytes.append(UInt8(ascii: "{"))
    let whole = [
      JSONMember("run", .object(run)), JSONMember("first", first), JSONMember("paths", .texts(paths.words)),
    ]
    ReportJSON.append(whole, to: &bytes)
    bytes += ",\"changes\":[".utf8 + rows + "]}".utf8
  }

  /// The parts of a pair, without what a report has tables of.
  static func picture(_ state: PairState) -> JSONValue {
    .fields([
      "watch": withoutFigures(state.watchJSON), "phone": withoutFigures(state.phoneJSON),
      "truth": withoutFigures(state.truthJSON), "link": .fields(state.linkStateMembers), "history": history(state),
      "training": state.trainingJSON, "health": state.healthJSON, "meals": state.mealsJSON,
      "app.watch": state.appJSON(0, crash: nil), "app.phone": state.appJSON(1, crash: nil),
    ])
  }

  /// A device's part with whether it has figures, in place of them.
  private static func withoutFigures(_ part: JSONValue) -> JSONValue {
    guard case .object(let members) = part else { return part }
    return .object(
      members.map { member in
        guard member.key == "figures" else { return member }
        return JSONMember("figures", .bool(member.node["since"]?.value != .null))
      })
  }

  /// The rows of the history; those that show the figures of the run in progress say so, in place of them.
  private static func history(_ state: PairState) -> JSONValue {
    guard case .array(let rows) = state.historyJSON else { return state.historyJSON }
    let figures = JSONNode(state.phone.figures.json)
    let shown = ["distance": "distance", "duration": "elapsed", "averagePace": "averagePace"]
    return .array(
      rows.map { row in
        guard case .object(let members) = row.value else { return row }
        let isLive =
          row["finished"]?.boolean == false && shown.allSatisfy { row[$0.key]?.value == figures[$0.value]?.value }
        let kept = members.map { shown[$0.key] != nil && isLive ? JSONMember($0.key, .null) : $0 }
        return JSONNode(.object(kept + [JSONMember("live", .bool(isLive))]))
      })
  }

  /// What a snapshot may change besides figures.
  private struct Glimpse: Equatable {
    var states: [String]
    var splits: [Int]
    var haveFigures: [Bool]

    init(_ state: PairState) {
      states = [state.watch.state, state.phone.state, state.truth.state]
      splits = [state.watch.splits.count, state.phone.splits.count]
      haveFigures = [state.watch.figures, state.phone.figures, state.truth.figures].map { $0.since != nil }
    }
  }
}

/// The drawing of both devices and of the link between them, for the page of `open` and for the report.
///
/// The script declares `WatchView`, `PhoneView` and `LinkView`. Around it a page provides `state.time`, `isStill`,
/// `act` and `draw`; its parts share one scope with the page's own.
package enum PairDrawing {
  package static var script: [UInt8] {
    [
      PackageResources.dom_js, PackageResources.link_js, PackageResources.watch_js, PackageResources.phone_js,
      PackageResources.screens_js,
    ].flatMap(\.self)
  }

  /// The style sheet, for a page or for a shadow tree.
  package static var style: [UInt8] { PackageResources.devices_css }
}
