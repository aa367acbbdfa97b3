import Combine
import Foundation
import SwiftUI
import Testing

/// Has the demand that a test gives it, and keeps what it gets.
private final class Taker<Input>: Subscriber {
  typealias Failure = Never
  private let first: Subscribers.Demand
  private let further: (Input) -> Subscribers.Demand
  private(set) var values: [Input] = []
  private(set) var isFinished = false
  private(set) var subscription: (any Subscription)?

  init(_ first: Subscribers.Demand, further: @escaping (Input) -> Subscribers.Demand = { _ in .none }) {
    (self.first, self.further) = (first, further)
  }

  func receive(subscription: any Subscription) {
    self.subscription = subscription
    if first > .none { subscription.request(first) }
  }
  func receive(_ input: Input) -> Subscribers.Demand {
    values.append(input)
    return further(input)
  }
  func receive(completion: Subscribers.Completion<Never>) { isFinished = true }
}

private final class Counter: ObservableObject {
  @Published var count = 0
  @Published var name = "a"
}

private final class Plain: ObservableObject {}

/// The contract of Combine that apps depend on.
@Suite struct `Combine` {
  @Test func `a published property is sent before it is stored`() {
    let counter = Counter()
    var seen: [[Int]] = []
    let sink = counter.$count.sink { seen.append([$0, counter.count]) }
    counter.count = 7
    #expect(seen == [[0, 0], [7, 0]])
    // What a receiver sets is overwritten by what is being set.
    let other = counter.$count.dropFirst().sink { if $0 < 0 { counter.count = 0 } }
    counter.count = -1
    #expect(counter.count == -1)
    withExtendedLifetime((sink, other)) {}
  }

  @Test func `an object announces each change once, and is the same publisher each time`() {
    let counter = Counter()
    var changes = 0
    let sink = counter.objectWillChange.sink { changes += 1 }
    (counter.count, counter.name) = (1, "a")
    #expect(changes == 2)
    #expect(counter.objectWillChange === counter.objectWillChange)
    let plain = Plain()
    #expect(plain.objectWillChange === plain.objectWillChange)
    withExtendedLifetime(sink) {}
  }

  @Test func `a subject drops what is not asked for, and its end needs no demand`() {
    let subject = PassthroughSubject<Int, Never>()
    let taker = Taker<Int>(.max(2)) { $0 == 1 ? .max(1) : .none }
    subject.subscribe(taker)
    for value in 0..<5 { subject.send(value) }
    #expect(taker.values == [0, 1, 2])
    subject.send(completion: .finished)
    #expect(taker.isFinished)
    let late = Taker<Int>(.none)
    subject.subscribe(late)
    #expect(late.isFinished)
  }

  @Test func `a subject with a value gives the latest when it is asked again`() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let taker = Taker<Int>(.max(1))
    subject.subscribe(taker)
    (1...3).forEach(subject.send)
    #expect(taker.values == [0])
    taker.subscription?.request(.max(1))
    #expect(taker.values == [0, 3])
  }

  @Test func `a cancellation within a callback ends the stream at once`() {
    let subject = PassthroughSubject<Int, Never>()
    var values: [Int] = []
    var sink: AnyCancellable?
    sink = subject.map { $0 * 2 }.filter { $0 >= 0 }.sink {
      values.append($0)
      if $0 == 4 { sink?.cancel() }
    }
    (1...5).forEach(subject.send)
    #expect(values == [2, 4])
  }

  @Test func `a subscription that is not stored is over`() {
    let subject = PassthroughSubject<Int, Never>()
    var values: [Int] = []
    _ = subject.sink { values.append($0) }
    subject.send(1)
    #expect(values.isEmpty)
    do {
      let sink = subject.sink { values.append($0) }
      subject.send(2)
      withExtendedLifetime(sink) {}
    }
    subject.send(3)
    #expect(values == [2])
  }

  @Test func `nothing is held after the end of a chain`() {
    weak var held: Counter?
    do {
      let counter = Counter()
      held = counter
      let sink = counter.$count.removeDuplicates().throttle(for: .seconds(1), scheduler: RunLoop.main, latest: true)
        .combineLatest(counter.$name).handleEvents(receiveOutput: { _ in }).sink { _ in }
      counter.count = 3
      withExtendedLifetime(sink) {}
    }
    #expect(held == nil)
  }

  @Test func `zip pairs, combineLatest holds, merge interleaves`() {
    let (left, right) = (PassthroughSubject<Int, Never>(), PassthroughSubject<String, Never>())
    var zipped: [String] = []
    var latest: [String] = []
    var finished = false
    let sinks = [
      left.zip(right).sink(receiveCompletion: { _ in finished = true }, receiveValue: { zipped.append("\($0)\($1)") }),
      left.combineLatest(right) { "\($0)\($1)" }.sink { latest.append($0) },
    ]
    left.send(1)
    left.send(2)
    right.send("a")
    #expect(zipped == ["1a"] && latest == ["2a"])
    right.send("b")
    left.send(3)
    #expect(zipped == ["1a", "2b"] && latest == ["2a", "2b", "3b"])
    right.send(completion: .finished)
    #expect(finished)
    var merged: [Int] = []
    let other = PassthroughSubject<Int, Never>()
    let both = other.merge(with: left).sink { merged.append($0) }
    left.send(4)
    other.send(5)
    #expect(merged == [4, 5])
    withExtendedLifetime((sinks, both)) {}
  }

  @Test func `merge and combineLatest keep to a demand`() {
    let (left, right) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let merged = Taker<Int>(.max(1))
    left.merge(with: right).subscribe(merged)
    left.send(1)
    right.send(2)
    #expect(merged.values == [1])
    let pairs = Taker<(Int, Int)>(.max(1))
    left.combineLatest(right).subscribe(pairs)
    left.send(1)
    right.send(2)
    left.send(3)
    #expect(pairs.values.map { [$0.0, $0.1] } == [[1, 2]])
  }

  @Test func `values are awaited one by one`() async {
    var sum = 0
    for await value in (1...4).publisher.map({ $0 * 10 }).values { sum += value }
    #expect(sum == 100)
    let future = Future<Int, Never> { $0(.success(3)) }
    #expect(await future.value == 3)
  }

  @Test func `a failure goes through catch, retry and replaceError`() {
    struct Trouble: Error {}
    var tries = 0
    let failing = Deferred { () -> Fail<Int, Trouble> in
      tries += 1
      return Fail(error: Trouble())
    }
    var values: [Int] = []
    let sink = failing.retry(2).catch { _ in Just(9) }.sink { values.append($0) }
    #expect(tries == 3 && values == [9])
    let replaced = failing.replaceError(with: 4).sink { values.append($0) }
    #expect(values == [9, 4])
    withExtendedLifetime((sink, replaced)) {}
  }

  @Test func `a model's properties work without a view`() throws {
    struct Panel {
      @ObservedObject var counter: Counter
      @State var draft = ""
    }
    let panel = Panel(counter: Counter())
    panel.$counter.count.wrappedValue = 4
    panel.$draft.wrappedValue = "x"
    #expect(panel.counter.count == 4 && panel.draft == "x")
    #expect(ScenePhase.background < .inactive && .inactive < ScenePhase.active)
    let defaults = try #require(UserDefaults(suiteName: "wristwire-\(UUID().uuidString)"))
    @AppStorage("flag", store: defaults) var flag = true
    #expect(flag)
    $flag.wrappedValue = false
    #expect(!flag && defaults.object(forKey: "flag") != nil)
    defaults.removeObject(forKey: "flag")
    defaults.synchronize()
  }
}
