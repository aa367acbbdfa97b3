/// Kinds of checkers, with a table of the events that each observes; built once for all runs of a process.
public struct CheckerSet: Sendable {
  /// The kinds, in the order of evaluation.
  let kinds: [any Checker.Type]
  /// The observers of each kind of event in the catalogue, and of each lane of it, concatenated: indices of ``kinds``.
  private let observers: [Int]
  /// The offset of each lane in ``observers``, and the end as the last element.
  private let starts: [Int]
  /// The observers of event names outside the catalogue.
  private let foreign: [TraceEvent.Name: [Int]]
  /// The places whose lines are believed, by kind of event.
  private let believed: [TraceEvent.Writers]

  /// A kind of event has a lane for each channel, for lines about frames, and one for other lines.
  private static let lanes = Channel.allCases.count + 1

  /// Builds the tables for kinds of checkers, which are evaluated in this order.
  public init(_ kinds: [any Checker.Type]) {
    self.kinds = kinds
    var observers: [Int] = []
    var starts = [0]
    for event in EventCatalog.all {
      let all = kinds.indices.filter { kinds[$0].interests.contains(event.name) }
      for channel in Channel.allCases {
        observers += all.filter { kinds[$0].channels?.contains(channel) ?? true }
        starts.append(observers.count)
      }
      observers += all
      starts.append(observers.count)
    }
    var foreign: [TraceEvent.Name: [Int]] = [:]
    for index in kinds.indices {
      for name in Set(kinds[index].interests) where EventCatalog.index(of: name) == nil {
        foreign[name, default: []].append(index)
      }
    }
    self.observers = observers
    self.starts = starts
    self.foreign = foreign
    believed = EventCatalog.all.map(\.name.writers)
  }

  /// The observers of a line of a kind of event, and of its frame: nil for an unknown frame, and for other events.
  @inline(__always)
  func observers(of kind: Int, about frame: SentFrame?) -> ArraySlice<Int> {
    let lane = frame.map { Int($0.lane.rawValue) } ?? Channel.allCases.count
    let place = kind * Self.lanes + lane
    return observers[starts[place]..<starts[place + 1]]
  }

  /// The observers of an event name outside the catalogue.
  func foreignObservers(of name: TraceEvent.Name) -> [Int] { foreign[name] ?? [] }

  /// Whether a line of a kind is believed from a place.
  @inline(__always)
  func isBelieved(_ kind: Int, from place: TraceEvent.Place) -> Bool { believed[kind].contains(place) }
}
