import { useQuery } from '@tanstack/react-query'
import { consent as api } from '#contract/people/consent'
import { q } from '../../../api/client.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Dialog } from '../../../ui/floats/Dialog.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { PrivacyForm } from './PrivacyForm.tsx'
import './consent.css'

/** What may be done with the person's data, use by use. */
export function PrivacyDialog({ onClose }: { onClose: () => void }) {
  // Not tried again by itself: an ad blocker does not change its mind, and there is a button.
  const { data, error, refetch, isFetching } = useQuery({ ...q(api.categories, {}), retry: false })
  if (data) return <PrivacyForm categories={data.categories} onClose={onClose} />
  if (error && !isFetching)
    return (
      <Dialog
        open
        onClose={onClose}
        title="Unable to Load Privacy Settings"
        footer={
          <>
            <Button size="form" onClick={onClose}>
              Close
            </Button>
            <Button size="form" variant="primary" onClick={() => void refetch()}>
              Try again
            </Button>
          </>
        }
      >
        <p>
          An ad blocker or a network error may be the cause. Please disable any ad blockers and try
          again.
        </p>
        <p className="muted t12">{error.message}</p>
      </Dialog>
    )
  return (
    <Dialog open onClose={onClose} title="Privacy settings">
      <div className="stack" aria-busy="true">
        <progress className="sr" aria-label="Loading" />
        <Skeleton width={160} height={14} />
        <Skeleton width={280} />
        <Skeleton width={160} height={14} />
        <Skeleton width={280} />
      </div>
    </Dialog>
  )
}
