import Combine
import Foundation

/// What the list shows.
final class LapModel: ObservableObject {
  @Published private(set) var laps: [Lap] = []
  @Published var order = LapOrder.newest

  init(link: PhoneLink) {
    link.onLap = { [weak self] lap in self?.laps.append(lap) }
  }

  func clearLaps() { laps = [] }
}
