/// What this app calls of Apple's Combine, for Linux: publishers that never end, as those of its models do.
///
/// Values are delivered at the call of `send`, on its thread. There are no schedulers, no demand and no completion; an app
/// that needs them takes OpenCombine in place of this module.
public protocol Publisher<Output, Failure> {
  associatedtype Output
  associatedtype Failure: Error

  /// Has every value handed to a closure, until what it returns is cancelled or released.
  func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable
}

extension Publisher {
  public func map<Result>(_ transform: @escaping (Output) -> Result) -> Stage<Result, Failure> {
    Stage { receive in sink { receive(transform($0)) } }
  }

  public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Stage<Output, Failure> {
    Stage { receive in sink { if isIncluded($0) { receive($0) } } }
  }

  /// Drops the first values.
  public func dropFirst(_ count: Int = 1) -> Stage<Output, Failure> {
    Stage { receive in
      var left = count
      return sink { value in
        if left > 0 { left -= 1 } else { receive(value) }
      }
    }
  }

  /// Sets a property to every value.
  public func assign<Root>(to path: ReferenceWritableKeyPath<Root, Output>, on object: Root) -> AnyCancellable {
    sink { object[keyPath: path] = $0 }
  }

  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> {
    Stage { receive in sink(receiveValue: receive) }
  }
}

extension Publisher where Output: Equatable {
  public func removeDuplicates() -> Stage<Output, Failure> {
    Stage { receive in
      var last: Output?
      return sink { value in
        defer { last = value }
        if value != last { receive(value) }
      }
    }
  }
}

/// A publisher that hands on what another one publishes.
public struct Stage<Output, Failure: Error>: Publisher {
  let subscribe: (@escaping (Output) -> Void) -> AnyCancellable

  public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable { subscribe(receiveValue) }
}

public typealias AnyPublisher<Output, Failure: Error> = Stage<Output, Failure>
