import type { Role } from '#contract/database/database-object-shapes'
import type { DatabaseServer } from '#contract/database/database-server'
import { Meter } from '../../../ui/Meter.tsx'

type Props = { server: DatabaseServer; roles: readonly Role[] }

/** How many of the server's connections are in use, and whose they are. */
export function ConnectionsGauge({ server, roles }: Props) {
  const { connections, max_connections: most, reserved_connections: reserved } = server
  const percent = (connections / most) * 100
  const busiest = roles
    .filter((role) => role.active_connections > 0)
    .toSorted((a, b) => b.active_connections - a.active_connections)
    .slice(0, 4)
  return (
    <div className="card gauge">
      <div className="row">
        <b className="grow">
          {connections} of {most} connections
        </b>
        <span className="muted">{reserved} kept for the platform</span>
      </div>
      <Meter
        percent={percent}
        label="Connections in use"
        tone={percent > 90 ? 'danger' : percent > 75 ? 'warning' : 'success'}
      />
      <span className="muted">
        {busiest.map(({ name, active_connections: count }) => `${name} ${count}`).join(' · ')}
      </span>
    </div>
  )
}
