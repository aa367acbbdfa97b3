import CoachProtocol
import Link

@testable import PhoneSim

/// An expression as a tree, evaluated the plain way: nil is unknown.
indirect enum ReferenceCondition {
  case compare(ReferenceNumber, String, ReferenceNumber)
  case and(ReferenceCondition, ReferenceCondition)
  case or(ReferenceCondition, ReferenceCondition)
  case not(ReferenceCondition)

  var text: String {
    switch self {
    case .compare(let left, let sign, let right): "\(left.text) \(sign) \(right.text)"
    case .and(let left, let right): "(\(left.text)) AND (\(right.text))"
    case .or(let left, let right): "(\(left.text)) or (\(right.text))"
    case .not(let inner): "Not (\(inner.text))"
    }
  }

  func value(_ known: [Variable: Double]) -> Bool? {
    switch self {
    case .compare(let left, let sign, let right):
      guard let a = left.value(known), let b = right.value(known), a.isFinite, b.isFinite else { return nil }
      switch sign {
      case "<": return a < b
      case "<=": return a <= b
      case ">": return a > b
      case ">=": return a >= b
      case "==": return a == b
      default: return a != b
      }
    case .and(let left, let right):
      let (a, b) = (left.value(known), right.value(known))
      if a == false || b == false { return false }
      return a == nil || b == nil ? nil : true
    case .or(let left, let right):
      let (a, b) = (left.value(known), right.value(known))
      if a == true || b == true { return true }
      return a == nil || b == nil ? nil : false
    case .not(let inner): return inner.value(known).map { !$0 }
    }
  }
}

/// A number of an expression as a tree.
indirect enum ReferenceNumber {
  case constant(Int)
  case variable(Variable)
  case negative(ReferenceNumber)
  case combined(ReferenceNumber, String, ReferenceNumber)

  var text: String {
    switch self {
    case .constant(let value): "\(value)"
    case .variable(let variable): variable.text
    case .negative(let inner): "-\(inner.text)"
    case .combined(let left, let sign, let right): "(\(left.text) \(sign) \(right.text))"
    }
  }

  func value(_ known: [Variable: Double]) -> Double? {
    switch self {
    case .constant(let value): return Double(value)
    case .variable(let variable): return known[variable]
    case .negative(let inner): return inner.value(known).map { -$0 }
    case .combined(let left, let sign, let right):
      guard let a = left.value(known), let b = right.value(known) else { return nil }
      switch sign {
      case "+": return a + b
      case "-": return a - b
      case "*": return a * b
      default: return b == 0 ? nil : a / b
      }
    }
  }
}

/// The rules of dispatch written a second time, as plainly as they read.
///
/// It keeps everything that ever happened, and works out each answer from all of it: nothing is remembered
/// between two snapshots but the snapshots, and what was decided.
struct ScriptReference {
  /// A line: its trigger as a test made it.
  struct Line {
    enum Kind {
      case metres(Double), seconds(Double), every(Double), never
      case condition(ReferenceCondition, cooldown: Double, opens: String?)
    }
    var id: String
    var kind: Kind
    var priority: Int
    var playOnce: Bool
    var branch: String?
  }

  /// A script as the reference has it.
  struct Lines {
    var isBranched: Bool
    var grace: Grace
    var lines: [Line]
  }

  private struct Seen {
    var snapshot: LiveMetrics
    var isJudged: Bool
    var hour: Int
    var now: Int64
    /// Which lines were due at it, and with which multiple.
    var due: [String: Int64] = [:]
  }

  private enum Deed { case said, expired, skipped }
  private struct Done {
    var deed: Deed
    var id: String
    var multiple: Int64
    var now: Int64
    var opens: String?
  }

  let plan: Plan
  let maximumHeartRate: Int
  var script: Lines?
  private var seen: [Seen] = []
  private var done: [Done] = []

  init(plan: Plan, maximumHeartRate: Int) {
    self.plan = plan
    self.maximumHeartRate = maximumHeartRate
  }

  /// Says what happens at a snapshot, in the short form of the decisions.
  mutating func position(
    _ snapshot: LiveMetrics, hour: Int, isRunning: Bool, now: Int64, canCommit: Bool
  ) -> [String] {
    seen.append(Seen(snapshot: snapshot, isJudged: isRunning, hour: hour, now: now))
    guard isRunning, let script else { return [] }
    var said: [String] = []
    var due: [(line: Line, order: Int, multiple: Int64)] = []
    for (order, line) in script.lines.enumerated() where isEligible(line, script) {
      switch line.kind {
      case .never: break
      case .metres(let point), .seconds(let point):
        let isDistance = if case .metres = line.kind { true } else { false }
        func place(_ s: LiveMetrics) -> Double { isDistance ? s.distance : s.elapsed }
        let isReached = seen.contains { $0.isJudged && place($0.snapshot) >= point }
        let isOver = done.contains {
          $0.id == line.id && ($0.deed == .said || $0.deed == .expired && $0.multiple == 0)
        }
        guard isReached, !isOver else { continue }
        if place(snapshot) - point > (isDistance ? script.grace.meters : script.grace.seconds) {
          said.append("expired \(line.id)")
          done.append(Done(deed: .expired, id: line.id, multiple: 0, now: now))
        } else {
          due.append((line, order, 0))
        }
      case .every(let length):
        if line.playOnce, done.contains(where: { $0.id == line.id && $0.deed == .said }) { continue }
        let reached = seen.filter(\.isJudged).map { ($0.snapshot.distance / length).rounded(.down) }.max() ?? 0
        let last = done.filter { $0.id == line.id }.map(\.multiple).max() ?? 0
        let multiple = Int64(max(reached, 0))
        guard multiple >= 1, multiple > last else { continue }
        if multiple - 1 > last {
          said.append("skip \(line.id) \(last + 1)-\(multiple - 1)")
          done.append(Done(deed: .skipped, id: line.id, multiple: multiple - 1, now: now))
        }
        if snapshot.distance - Double(multiple) * length > script.grace.meters {
          said.append("expired \(line.id) @\(multiple)")
          done.append(Done(deed: .expired, id: line.id, multiple: multiple, now: now))
        } else {
          due.append((line, order, multiple))
        }
      case .condition(let condition, let cooldown, _):
        let mine = done.filter { $0.id == line.id && $0.deed == .said }
        if line.playOnce, !mine.isEmpty { continue }
        if let last = mine.last, Double(now - last.now) < cooldown * 1e9 { continue }
        if condition.value(known(at: snapshot, hour: hour)) == true { due.append((line, order, 0)) }
      }
    }
    for entry in due { seen[seen.count - 1].due[entry.line.id] = entry.multiple }
    let lastSaid = done.last { $0.deed == .said }
    if let lastSaid, now - lastSaid.now < 30_000_000_000 { return said }
    guard canCommit else { return said }
    let best = due.min { a, b in
      if a.line.priority != b.line.priority { return a.line.priority > b.line.priority }
      let (x, y) = (dueSince(a.line.id, a.multiple), dueSince(b.line.id, b.multiple))
      return x != y ? x < y : a.order < b.order
    }
    guard let best else { return said }
    said.append("say \(best.line.id)" + (best.multiple > 0 ? " @\(best.multiple)" : ""))
    let before = branch
    var opens: String?
    if case .condition(_, _, let key) = best.line.kind, script.isBranched { opens = key }
    done.append(Done(deed: .said, id: best.line.id, multiple: best.multiple, now: now, opens: opens))
    if let opens, opens != before { said.append("branch \(opens) after \(before ?? "nil")") }
    return said
  }

  private var branch: String? { done.last { $0.opens != nil }?.opens }

  private func isEligible(_ line: Line, _ script: Lines) -> Bool {
    guard script.isBranched, let key = line.branch else { return true }
    if case .condition(_, _, let opens) = line.kind, opens == key { return true }
    return key == branch
  }

  /// The first judged snapshot of the stretch that ends at the last one.
  private func dueSince(_ id: String, _ multiple: Int64) -> Int {
    var since = seen.count - 1
    for index in seen.indices.reversed() where seen[index].isJudged {
      guard seen[index].due[id] == multiple else { break }
      since = index
    }
    return since
  }

  private func known(at snapshot: LiveMetrics, hour: Int) -> [Variable: Double] {
    var known: [Variable: Double] = [
      .distance: snapshot.distance, .duration: snapshot.elapsed, .hourOfDay: Double(hour),
    ]
    known[.currentPace] = snapshot.currentPaceSecPerKm
    known[.averagePace] = snapshot.avgPaceSecPerKm
    known[.cadence] = snapshot.cadence.map { Double($0) }
    if let distance = plan.distance, let time = plan.time { known[.targetPace] = time / (distance / 1000) }
    if let rate = snapshot.currentHR {
      known[.heartRate] = Double(rate)
      let parts = [50, 60, 70, 80, 90].filter { rate * 100 >= $0 * maximumHeartRate }
      known[.heartRateZone] = Double(parts.count)
    }
    if let trail = trail(at: snapshot), trail >= 1, let pace = known[.targetPace] ?? snapshot.avgPaceSecPerKm {
      known[.paceRatio] = (pace / (180 / (trail / 1000)) * 1e6).rounded() / 1e6
    }
    return known
  }

  private func trail(at snapshot: LiveMetrics) -> Double? {
    func milliseconds(_ snapshot: LiveMetrics) -> Double { (snapshot.elapsed * 1000).rounded() }
    let target = milliseconds(snapshot) - 180_000
    var older: LiveMetrics?
    var newer: LiveMetrics?
    for candidate in seen.map(\.snapshot) {
      let time = milliseconds(candidate)
      if time <= target, time >= older.map(milliseconds) ?? -.infinity { older = candidate }
      if time > target, time <= newer.map(milliseconds) ?? .infinity { newer = candidate }
    }
    guard let older, let newer else { return nil }
    let share = (target - milliseconds(older)) / (milliseconds(newer) - milliseconds(older))
    return snapshot.distance - (older.distance + (newer.distance - older.distance) * share)
  }
}
