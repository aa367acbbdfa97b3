extension Publishers {
  /// Publishes the elements of a sequence, as far as they are asked for, and finishes.
  public struct Sequence<Elements: Swift.Sequence, Failure: Error>: Publisher {
    public typealias Output = Elements.Element

    public let sequence: Elements

    public init(sequence: Elements) { self.sequence = sequence }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let subscription = SequenceSubscription(sequence, completion: .finished, to: subscriber)
      guard subscription.hasElements else {
        subscriber.receive(subscription: Subscriptions.empty)
        return subscriber.receive(completion: .finished)
      }
      subscriber.receive(subscription: subscription)
    }
  }
}

extension Publishers.Sequence: Equatable where Elements: Equatable {}

extension Sequence {
  public var publisher: Publishers.Sequence<Self, Never> { Publishers.Sequence(sequence: self) }
}

/// Gives the elements of a sequence as they are asked for, then a completion.
final class SequenceSubscription<Elements: Sequence, Downstream: Subscriber>: Subscription, Named
where Downstream.Input == Elements.Element {
  private let lock = Lock()
  private let showsCompletion: Bool
  private let completion: Subscribers.Completion<Downstream.Failure>
  private var sequence: Elements?
  private var downstream: Downstream?
  private var iterator: Elements.Iterator
  private var next: Elements.Element?
  private var demand = Subscribers.Demand.none
  /// Set while a request is being served: one within it only adds to the demand.
  private var isServing = false

  init(
    _ sequence: Elements, completion: Subscribers.Completion<Downstream.Failure>, to downstream: Downstream,
    showsCompletion: Bool = false
  ) {
    (self.sequence, self.completion, self.showsCompletion) = (sequence, completion, showsCompletion)
    self.downstream = downstream
    iterator = sequence.makeIterator()
    next = iterator.next()
  }

  private var cancelledName: String { showsCompletion ? "Cancelled Events" : "Sequence" }

  var hasElements: Bool { next != nil }

  var name: String { lock.run { sequence }.map { "\($0)" } ?? cancelledName }

  var parts: [Mirror.Child] {
    let parts: [Mirror.Child] = [("sequence", lock.run { sequence.map { $0 as Any } ?? [] as [Elements.Element] })]
    return showsCompletion ? parts + [("completion", completion)] : parts
  }

  func request(_ demand: Subscribers.Demand) {
    let serves: Bool = lock.run {
      guard downstream != nil else { return false }
      self.demand += demand
      defer { isServing = true }
      return !isServing
    }
    if serves { serve() }
  }

  private enum Step {
    case value(Elements.Element, Downstream)
    case end(Downstream)
    case pause
  }

  private func serve() {
    while true {
      switch step() {
      case .value(let value, let receiver):
        let further = receiver.receive(value)
        advance(further)
      case .end(let receiver): return receiver.receive(completion: completion)
      case .pause: return
      }
    }
  }

  private func step() -> Step {
    lock.run {
      guard let receiver = downstream else { return .pause }
      guard let value = next else {
        (downstream, sequence) = (nil, nil)
        return .end(receiver)
      }
      guard demand > .none else {
        isServing = false
        return .pause
      }
      demand -= 1
      return .value(value, receiver)
    }
  }

  /// Reads the next element, which may be the app's own code.
  private func advance(_ further: Subscribers.Demand) {
    let isOver = lock.run { downstream == nil }
    let element = isOver ? nil : iterator.next()
    lock.run {
      demand += further
      next = element
    }
  }

  func cancel() {
    lock.run { (downstream, sequence) = (nil, nil) }
  }
}

/// Publishes what has been recorded, and completes as recorded.
public struct Record<Output, Failure: Error>: Publisher {
  public let recording: Recording

  public init(record: (inout Recording) -> Void) {
    var recording = Recording()
    record(&recording)
    self.init(recording: recording)
  }

  public init(recording: Recording) { self.recording = recording }

  public init(output: [Output], completion: Subscribers.Completion<Failure>) {
    self.init(recording: Recording(output: output, completion: completion))
  }

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let completion = recording.completion
    guard !recording.output.isEmpty else {
      subscriber.receive(subscription: Subscriptions.empty)
      return subscriber.receive(completion: completion)
    }
    subscriber.receive(
      subscription: SequenceSubscription(
        recording.output, completion: completion, to: subscriber, showsCompletion: true))
  }

  /// Values and a completion.
  public struct Recording {
    public private(set) var output: [Output]
    public private(set) var completion: Subscribers.Completion<Failure>
    private var isOpen = true

    public init() { (output, completion) = ([], .finished) }

    public init(output: [Output], completion: Subscribers.Completion<Failure> = .finished) {
      (self.output, self.completion) = (output, completion)
    }

    /// - Precondition: No completion has been received.
    public mutating func receive(_ input: Output) {
      precondition(isOpen, "a recording received a value after its completion")
      output.append(input)
    }

    /// - Precondition: No completion has been received.
    public mutating func receive(completion: Subscribers.Completion<Failure>) {
      precondition(isOpen, "a recording received a second completion")
      isOpen = false
      self.completion = completion
    }
  }
}

extension Record.Recording: Codable where Output: Codable, Failure: Codable {
  enum CodingKeys: String, CodingKey { case output, completion }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    output = try container.decode([Output].self, forKey: .output)
    completion = try container.decode(Subscribers.Completion<Failure>.self, forKey: .completion)
  }

  /// Combine's own name of `encode(to:)`.
  public func encode(into encoder: any Encoder) throws { try encode(to: encoder) }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(output, forKey: .output)
    try container.encode(completion, forKey: .completion)
  }
}

extension Record: Codable where Output: Codable, Failure: Codable {}
