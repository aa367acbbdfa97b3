import WatchConnectivity
print(WCSession.isSupported())
