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

extension Publishers.Sequence {
  public func allSatisfy(_ predicate: (Output) -> Bool) -> Result<Bool, Failure>.Publisher {
    .init(sequence.allSatisfy(predicate))
  }
  public func tryAllSatisfy(_ predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
    .init(Result { try sequence.allSatisfy(predicate) })
  }
  public func contains(where predicate: (Output) -> Bool) -> Result<Bool, Failure>.Publisher {
    .init(sequence.contains(where: predicate))
  }
  public func tryContains(where predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
    .init(Result { try sequence.contains(where: predicate) })
  }
  public func collect() -> Result<[Output], Failure>.Publisher { .init(Array(sequence)) }
  public func compactMap<T>(_ transform: (Output) -> T?) -> Publishers.Sequence<[T], Failure> {
    .init(sequence: sequence.compactMap(transform))
  }
  public func drop(
    while predicate: @escaping (Output) -> Bool
  ) -> Publishers.Sequence<DropWhileSequence<Elements>, Failure> { .init(sequence: sequence.drop(while: predicate)) }
  public func dropFirst(_ count: Int = 1) -> Publishers.Sequence<DropFirstSequence<Elements>, Failure> {
    .init(sequence: sequence.dropFirst(count))
  }
  public func filter(_ isIncluded: (Output) -> Bool) -> Publishers.Sequence<[Output], Failure> {
    .init(sequence: sequence.filter(isIncluded))
  }
  public func ignoreOutput() -> Empty<Output, Failure> { Empty() }
  public func map<T>(_ transform: (Output) -> T) -> Publishers.Sequence<[T], Failure> {
    .init(sequence: sequence.map(transform))
  }
  public func prefix(_ maxLength: Int) -> Publishers.Sequence<PrefixSequence<Elements>, Failure> {
    .init(sequence: sequence.prefix(maxLength))
  }
  public func prefix(while predicate: (Output) -> Bool) -> Publishers.Sequence<[Output], Failure> {
    .init(sequence: sequence.prefix(while: predicate))
  }
  public func reduce<T>(_ initialResult: T, _ nextPartialResult: (T, Output) -> T) -> Result<T, Failure>.Publisher {
    .init(sequence.reduce(initialResult, nextPartialResult))
  }
  public func tryReduce<T>(
    _ initialResult: T, _ nextPartialResult: (T, Output) throws -> T
  ) -> Result<T, any Error>.Publisher { .init(Result { try sequence.reduce(initialResult, nextPartialResult) }) }
  public func replaceNil<T>(with output: T) -> Publishers.Sequence<[Output], Failure> where Output == T? {
    .init(sequence: sequence.map { $0 ?? output })
  }
  public func scan<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T
  ) -> Publishers.Sequence<[T], Failure> {
    var result = initialResult
    return map {
      result = nextPartialResult(result, $0)
      return result
    }
  }
  public func setFailureType<E: Error>(to error: E.Type) -> Publishers.Sequence<Elements, E> {
    .init(sequence: sequence)
  }
  public func removeDuplicates(by predicate: (Output, Output) -> Bool) -> Publishers.Sequence<[Output], Failure> {
    var kept: [Output] = []
    for element in sequence where kept.last.map({ !predicate($0, element) }) ?? true { kept.append(element) }
    return .init(sequence: kept)
  }
}

extension Publishers.Sequence where Elements.Element: Comparable {
  public func min() -> Optional<Output>.Publisher { .init(sequence.min()) }
  public func max() -> Optional<Output>.Publisher { .init(sequence.max()) }
}

extension Publishers.Sequence where Failure == Never {
  public func min(by areInIncreasingOrder: (Output, Output) -> Bool) -> Optional<Output>.Publisher {
    .init(sequence.min(by: areInIncreasingOrder))
  }
  public func max(by areInIncreasingOrder: (Output, Output) -> Bool) -> Optional<Output>.Publisher {
    .init(sequence.max(by: areInIncreasingOrder))
  }
  public func first(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    .init(sequence.first(where: predicate))
  }
}

extension Publishers.Sequence where Elements.Element: Equatable {
  public func contains(_ output: Output) -> Result<Bool, Failure>.Publisher { .init(sequence.contains(output)) }
  public func removeDuplicates() -> Publishers.Sequence<[Output], Failure> { removeDuplicates(by: ==) }
}

extension Publishers.Sequence where Elements: Collection, Failure == Never {
  public func first() -> Optional<Output>.Publisher { .init(sequence.first) }
  public func output(at index: Elements.Index) -> Optional<Output>.Publisher {
    .init(sequence.indices.contains(index) ? sequence[index] : nil)
  }
}

extension Publishers.Sequence where Elements: Collection {
  public func count() -> Result<Int, Failure>.Publisher { .init(sequence.count) }
  public func output(in range: Range<Elements.Index>) -> Publishers.Sequence<[Output], Failure> {
    .init(sequence: Array(sequence[range]))
  }
}

extension Publishers.Sequence where Elements: Collection, Failure == Never {
  public func count() -> Just<Int> { Just(sequence.count) }
}

extension Publishers.Sequence where Elements: BidirectionalCollection, Failure == Never {
  public func last() -> Optional<Output>.Publisher { .init(sequence.last) }
  public func last(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    .init(sequence.last(where: predicate))
  }
}

extension Publishers.Sequence where Elements: RandomAccessCollection, Failure == Never {
  public func output(at index: Elements.Index) -> Optional<Output>.Publisher {
    .init(sequence.indices.contains(index) ? sequence[index] : nil)
  }
  public func count() -> Just<Int> { Just(sequence.count) }
}

extension Publishers.Sequence where Elements: RandomAccessCollection {
  public func output(in range: Range<Elements.Index>) -> Publishers.Sequence<[Output], Failure> {
    .init(sequence: Array(sequence[range]))
  }
  public func count() -> Result<Int, Failure>.Publisher { .init(sequence.count) }
}

extension Publishers.Sequence where Elements: RangeReplaceableCollection {
  public func prepend(_ elements: Output...) -> Publishers.Sequence<Elements, Failure> { prepend(elements) }
  public func prepend<S: Sequence>(_ elements: S) -> Publishers.Sequence<Elements, Failure> where S.Element == Output {
    var result = Elements()
    result.reserveCapacity(sequence.count + elements.underestimatedCount)
    result.append(contentsOf: elements)
    result.append(contentsOf: sequence)
    return .init(sequence: result)
  }
  public func prepend(
    _ publisher: Publishers.Sequence<Elements, Failure>
  ) -> Publishers.Sequence<Elements, Failure> {
    var result = publisher.sequence
    result.append(contentsOf: sequence)
    return .init(sequence: result)
  }
  public func append(_ elements: Output...) -> Publishers.Sequence<Elements, Failure> { append(elements) }
  public func append<S: Sequence>(_ elements: S) -> Publishers.Sequence<Elements, Failure> where S.Element == Output {
    var result = sequence
    result.append(contentsOf: elements)
    return .init(sequence: result)
  }
  public func append(
    _ publisher: Publishers.Sequence<Elements, Failure>
  ) -> Publishers.Sequence<Elements, Failure> { append(publisher.sequence) }
}
