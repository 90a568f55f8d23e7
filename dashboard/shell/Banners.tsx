import { useQuery } from '@tanstack/react-query'
import { ClockAlert } from 'lucide-react'
import { useState } from 'react'
import { clockQuery, isSkewed } from '../session/clock.ts'
import { Banner } from '../ui/Banner.tsx'
import { ClockDialog } from './ClockDialog.tsx'

/** What concerns every page, above the top bar, most serious first. */
export function Banners() {
  const { data: skew } = useQuery(clockQuery)
  const [explained, setExplained] = useState(false)
  return (
    <div className="banners">
      {skew !== undefined && isSkewed(skew) && (
        <Banner
          variant="notice"
          icon={ClockAlert}
          link={
            <button type="button" className="link" onClick={() => setExplained(true)}>
              More information
            </button>
          }
        >
          Your computer's clock appears to be inaccurate. This can cause issues with certain
          features.
        </Banner>
      )}
      {skew !== undefined && explained && (
        <ClockDialog skew={skew} onClose={() => setExplained(false)} />
      )}
    </div>
  )
}
