import { Page } from '../ui/Page.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'

/** A page whose shape is not known yet: its head, and a card. */
export function PagePending() {
  return (
    <Page>
      <div className="pending" aria-busy="true">
        <progress className="sr" aria-label="Loading" />
        <Skeleton width={160} height={14} />
        <Skeleton width={280} />
        <div className="card" />
      </div>
    </Page>
  )
}
