import Combine

/// What the phone's screen shows of a run.
public final class RunModel: ObservableObject {
  /// Number of kilometres that have come since the app's start.
  @Published public private(set) var kilometres = 0
  private var subscriptions: Set<AnyCancellable> = []

  /// - Parameter splits: Each kilometre that is new to the phone.
  public init(_ splits: some Publisher<Split, Never>) {
    splits.sink { [weak self] _ in self?.kilometres += 1 }.store(in: &subscriptions)
    $kilometres.dropFirst().removeDuplicates().filter { $0 % 4 == 0 }
      .sink { print("phone: the screen shows \($0) km") }.store(in: &subscriptions)
  }
}
