import Foundation
import RunBuddy

// RunBuddyPhone [FOLDER] [--racy]
let words = CommandLine.arguments
let session = PhoneSession(
  log: RunLog(folder: RunFolder.find(words)), counter: SplitCounter(isRacy: words.contains("--racy")))
session.start()
dispatchMain()
