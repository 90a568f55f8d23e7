import { arrange, type Box, type Connection } from './arrange.ts'

/** Arranging hundreds of tables takes longer than a frame, so it happens beside the page. */
self.addEventListener(
  'message',
  ({ data }: MessageEvent<{ boxes: Box[]; connections: Connection[] }>) => {
    self.postMessage(arrange(data.boxes, data.connections))
  },
)
