import Foundation
import RunBuddy
import WristwireSupport

// RunBuddyPhone [FOLDER] [--racy] [--bug NAME]
let words = CommandLine.arguments
let bug = Bug.planted(words)
let session = PhoneSession(
  log: RunLog(folder: RunFolder.find(words), bug: bug), counter: SplitCounter(isRacy: words.contains("--racy")),
  bug: bug)
Simulation.onAct("stop") { _ in session.stop() }
session.start()
dispatchMain()
