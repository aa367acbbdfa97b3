print("wristwire")
