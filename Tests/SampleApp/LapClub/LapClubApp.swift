import SwiftUI

@main
struct LapClubApp: App {
  @StateObject private var model = LapModel(link: .shared)

  var body: some Scene {
    WindowGroup { LapList(model: model) }
  }
}
