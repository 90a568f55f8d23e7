import { useQuery } from '@tanstack/react-query'
import { ClockAlert } from 'lucide-react'
import { useState } from 'react'
import { clockQuery, isSkewed } from '../../session/clock.ts'
import { Banner } from '../../ui/Banner.tsx'
import { ClockDialog } from './ClockDialog.tsx'

/** For who has a clock more than two minutes off; the sentence is the requirements' (§8). */
export function ClockBanner() {
  const { data: skew } = useQuery(clockQuery)
  const [explained, setExplained] = useState(false)
  if (skew === undefined || !isSkewed(skew)) return null
  return (
    <>
      <Banner
        variant="notice"
        icon={ClockAlert}
        link={
          <button type="button" className="link" onClick={() => setExplained(true)}>
            More information
          </button>
        }
      >
        Your computer's clock appears to be inaccurate. This can cause issues with certain features.
      </Banner>
      {explained && <ClockDialog skew={skew} onClose={() => setExplained(false)} />}
    </>
  )
}
