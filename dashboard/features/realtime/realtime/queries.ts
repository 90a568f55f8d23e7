import { realtime } from '#contract/realtime/realtime-config'
import { q } from '../../../api/client.ts'

export const realtimeQuery = (ref: string) => q(realtime.config, { ref }, 5_000)
