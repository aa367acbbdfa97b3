import Foundation
import RunBuddy

guard CommandLine.arguments.count == 2 else {
  print("usage: RunBuddyPhone FOLDER")
  exit(2)
}
let session = PhoneSession(log: RunLog(folder: URL(fileURLWithPath: CommandLine.arguments[1])))
session.start()
dispatchMain()
