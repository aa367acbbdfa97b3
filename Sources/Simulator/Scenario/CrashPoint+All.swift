import CoachProtocol
package import Link
import PhoneSim
import WatchSim

extension CrashPoint {
  /// Every crash point, in the order of the reference page: the session's, the apps', then those of their files.
  package static let all: [CrashPoint] = session + watch + phone + files
}
