import SwiftUI

struct LapButton: View {
  let link: WatchLink

  var body: some View { Button("Lap") { link.takeLap() } }
}
