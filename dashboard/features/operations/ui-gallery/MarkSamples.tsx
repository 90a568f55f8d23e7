import { GitBranch } from 'lucide-react'
import { Avatar } from '../../../ui/text/Avatar.tsx'
import { Badge } from '../../../ui/text/Badge.tsx'
import { Kbd } from '../../../ui/text/Kbd.tsx'
import { Keys } from '../../../ui/text/Keys.tsx'
import { Meter } from '../../../ui/Meter.tsx'
import { Progress } from '../../../ui/Progress.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { Status } from '../../../ui/text/Status.tsx'
import { Time } from '../../../ui/text/Time.tsx'
import { Samples } from './Samples.tsx'

export function MarkSamples() {
  return (
    <Samples title="Badges, status, keys, meters">
      <div className="flow">
        <Badge>Pro</Badge>
        <Badge tone="solid">Production</Badge>
        <Badge tone="success" dot>
          Healthy
        </Badge>
        <Badge tone="warning" dot>
          Degraded
        </Badge>
        <Badge tone="danger" dot>
          Failed
        </Badge>
        <Badge tone="info">Alpha</Badge>
        <Badge icon={GitBranch}>main</Badge>
      </div>
      <div className="flow">
        <Status tone="success">Healthy</Status>
        <Status tone="warning">Unhealthy</Status>
        <Status tone="danger">Failed</Status>
        <Status tone="off">Unknown</Status>
        <Status tone="paused">Paused</Status>
        <Status tone="working">Coming up</Status>
      </div>
      <div className="flow">
        <Keys of="mod+k" />
        <Keys of="g l" />
        <Keys of="shift+enter" />
        <Kbd>?</Kbd>
        <Avatar name="Ines Okafor" />
        <Avatar name="Kestrel" square />
        <Avatar name="Kestrel" square size={20} />
        <Avatar name="Kestrel" square size={32} />
        <Avatar name="Ines Okafor" size={40} />
        <Time at="2025-11-18T09:41:07Z" />
      </div>
      <div className="two">
        <Meter label="Half" percent={50} />
        <Meter label="Nearly full" percent={91} tone="warning" />
        <Meter label="Full" percent={100} tone="danger" />
        <Meter label="Good" percent={100} tone="success" />
        <Progress label="Working" />
        <Skeleton width="60%" />
      </div>
    </Samples>
  )
}
