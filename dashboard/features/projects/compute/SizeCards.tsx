import type { ComputeSizeId } from '#contract/projects/compute-sizes'
import { Badge } from '../../../ui/text/Badge.tsx'
import { cx } from '../../../ui/cx.ts'
import type { SizeCard } from './sizes.ts'

type Props = {
  cards: readonly SizeCard[]
  chosen: ComputeSizeId
  /** Nothing can be chosen now. */
  disabled: boolean
  onChoose: (size: ComputeSizeId) => void
}

/** All sizes that there are to choose from, each with what it costs and gives. */
export function SizeCards({ cards, chosen, disabled, onChoose }: Props) {
  return (
    <fieldset className="sizes">
      <legend className="sr">Compute size</legend>
      {cards.map((card) => (
        <label
          key={card.id}
          className={cx('size', chosen === card.id && 'on', card.reason && 'off')}
        >
          <input
            type="radio"
            className="sr"
            name="compute-size"
            value={card.id}
            checked={chosen === card.id}
            disabled={card.reason !== undefined || (disabled && !card.isCurrent)}
            onChange={() => onChoose(card.id)}
          />
          <span className="size-head">
            <span className="med">{card.label}</span>
            {card.isCurrent && <Badge tone="info">Current</Badge>}
          </span>
          <span className="size-price">
            <span className="med">{card.price}</span>
            {card.month && <span className="muted">{card.month}</span>}
          </span>
          <span className="size-facts">
            <Fact name="Memory" value={card.memory} />
            <Fact name="CPU" value={card.cpu} />
            <Fact name="Connections" value={card.connections} />
          </span>
          {card.reason && <span className="size-reason">{card.reason}</span>}
        </label>
      ))}
    </fieldset>
  )
}

const Fact = ({ name, value }: { name: string; value: string }) => (
  <span>
    <span className="muted">{name}</span>
    <span>{value}</span>
  </span>
)
