import Simulator
import Link

/// The coverage of a run, as a small set of features: events with the states in which they happened.
///
/// A state is the phase of the watch's run, whether the link is down, and what is wrong with either app. A feature is an
/// event of a place with its words, in a state, with how often it happened there in steps of 1, 2, 3, 4, 8 and 16; and
/// two events of a place in succession. Features are numbered by a hash of 16 bits, so a few share a number.
package final class StateCoverage {
  /// How many numbers there are.
  static let size = 1 << 16
  /// An instant at which something happened, as a place for a fault.
  struct Instant: Equatable {
    var at: VirtualTime
    /// For a sent frame.
    var direction: Direction?
    var channel: Channel?
    /// Where it happened; nil for the link and the runner.
    var node: NodeRole?
  }

  /// The limit of instants of one kind of event; beyond it they are thinned evenly.
  private static let instantsMax = 16
  /// The limit of kinds of events with instants.
  private static let kindsMax = 256

  /// How often each feature occurred, up to 255.
  private var counts = [UInt8](repeating: 0, count: size)
  private var touched: [Int] = []
  private var state: UInt64 = 0
  private var phase = RunPhase.before
  /// The last event of each place.
  private var last = [UInt64](repeating: 0, count: TraceEvent.Place.allCases.count)
  /// The instants of each kind of event, in the order of the kinds' first occurrence.
  private(set) var instants: [[Instant]] = []
  /// The place of each kind in ``instants``; lookup only.
  private var kinds: [UInt64: Int] = [:]
  private var seen: [Int] = []

  package init() {}

  /// Observes the next event.
  func observe(_ event: TraceEvent) {
    var instant = Instant(at: event.time)
    switch event.place {
    case .watch: instant.node = .watch
    case .phone: instant.node = .phone
    default: break
    }
    switch event.body {
    case .workoutState(let change):
      phase = RunPhase(change) ?? phase
      set(phase.rawValue, bits: 2, at: 0)
    case .linkDown: if event.place == .link { set(1, bits: 1, at: 2) }
    case .linkUp: if event.place == .link { set(0, bits: 1, at: 2) }
    case .nodeKilled(let killed): set(1, killed.target)
    case .nodeSuspended(let suspended): set(2, suspended.target)
    case .nodeStarted(let started): set(0, started.target)
    case .nodeResumed(let resumed): set(0, resumed.target)
    // Faults are causes; only their effects count.
    case .faultBegin, .faultEnd: return
    case .frameSent(let frame):
      if Channel.ofLink.contains(frame.channel), let node = instant.node {
        instant.channel = frame.channel
        instant.direction = node == .watch ? .watchToPhone : .phoneToWatch
      }
    default: break
    }
    var words = EventWordHasher(EventWordHasher.mix(event.name.code ^ UInt64(event.place.rawValue)))
    words.add(event)
    let kind = words.hash
    count(EventWordHasher.mix(kind ^ state << 8))
    let place = Int(event.place.rawValue)
    count(EventWordHasher.mix(kind &+ EventWordHasher.mix(~last[place])))
    last[place] = kind
    addInstant(instant, kind)
  }

  private func set(_ value: Int, bits: UInt64, at shift: UInt64) {
    let mask = (UInt64(1) << bits - 1) << shift
    state = state & ~mask | UInt64(value) << shift
  }

  private func set(_ value: Int, _ node: NodeRole) {
    switch node {
    case .watch: set(value, bits: 2, at: 3)
    case .phone: set(value, bits: 2, at: 5)
    case .edge: break
    }
  }

  private func count(_ hash: UInt64) {
    let index = Int(hash >> 48)
    if counts[index] == 0 { touched.append(index) }
    if counts[index] < .max { counts[index] += 1 }
  }

  private func addInstant(_ instant: Instant, _ kind: UInt64) {
    guard let index = kinds[kind] else {
      guard instants.count < Self.kindsMax else { return }
      kinds[kind] = instants.count
      instants.append([instant])
      seen.append(1)
      return
    }
    seen[index] += 1
    if instants[index].count < Self.instantsMax {
      instants[index].append(instant)
    } else if seen[index].nonzeroBitCount == 1 {
      // Beyond the limit the instants at powers of two replace the oldest: some of the whole run are left.
      instants[index].removeFirst()
      instants[index].append(instant)
    }
  }

  /// Adds the features to what earlier runs had.
  ///
  /// - Parameter known: A bit for each step of each feature; ``size`` bytes.
  /// - Returns: How many steps are new.
  func add(to known: inout [UInt8]) -> Int {
    var new = 0
    for number in steps {
      let (index, bit) = (number / Self.stepCount, UInt8(1) << UInt8(number % Self.stepCount))
      if known[index] & bit == 0 {
        known[index] |= bit
        new += 1
      }
    }
    return new
  }

  /// How many steps of a feature there are: it happened 1, 2, 3, up to 7, up to 15 times, or more often.
  static let stepCount = 6

  /// What the run reached, numbered below ``size`` times ``stepCount``; each once, in the order of the features' first
  /// occurrence.
  package var steps: [Int] { touched.map { $0 * Self.stepCount + step(of: $0) } }

  private func step(of index: Int) -> Int {
    switch counts[index] {
    case ...1: 0
    case 2: 1
    case 3: 2
    case ...7: 3
    case ...15: 4
    default: 5
    }
  }
}
