import { Card } from '../../../ui/Card.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'

/** While the settings are read: a card of about their height. */
export function SsoSkeleton() {
  return (
    <Card title="Identity provider">
      <div className="form-stack" aria-busy="true">
        <progress className="sr" aria-label="Loading" />
        {['30%', '100%', '30%', '100%'].map((width, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- these lines never change places
          <Skeleton key={index} width={width} />
        ))}
      </div>
    </Card>
  )
}
