"""SecantusDB as its own launcher runs it, but for one thing: it ends when its standard input does, so that it never outlives the
test that started it, however that ends."""

import os
import sys
import threading

from secantus.cli import main


def end_with_parent():
    sys.stdin.buffer.read()
    os._exit(0)


threading.Thread(target=end_with_parent, daemon=True).start()
sys.exit(main())
