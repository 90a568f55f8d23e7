import { onlineManager } from '@tanstack/react-query'
import { WifiOff } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { Banner } from '../../ui/Banner.tsx'

const subscribe = (changed: () => void) => onlineManager.subscribe(changed)
const isOnline = () => onlineManager.isOnline()

/** Without a network nothing is sent, and nothing fails: calls wait until there is one. */
export function OfflineBanner() {
  if (useSyncExternalStore(subscribe, isOnline)) return null
  return (
    <Banner variant="notice" icon={WifiOff}>
      You are offline. Changes that you save now are sent when you are online again.
    </Banner>
  )
}
