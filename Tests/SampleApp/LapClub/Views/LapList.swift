import SwiftUI

struct LapList: View {
  @ObservedObject var model: LapModel

  var body: some View {
    VStack {
      List(model.laps) { lap in Text("\(lap.number)") }
      Button("Clear") { model.clearLaps() }
    }
  }
}

/// What the list is sorted by: a model in a file of views.
enum LapOrder: String, Codable {
  case newest, oldest

  var color: Color { self == .newest ? .green : .gray }
}

#Preview { LapList(model: LapModel(link: .shared)) }
