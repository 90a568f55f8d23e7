import { type ReactNode, useState } from 'react'
import type { Testimonial } from '#contract/operations/custom-content'
import { useContent, useHiddenAtSignIn } from '../../../session/organization/mode.ts'
import { cx } from '../../../ui/cx.ts'
import { Logo } from '../../../ui/text/Logo.tsx'
import './sign-in.css'

/** The pages before the frame: the form at the left, what Plinth is at the right, or what people say of it. */
export function AuthLayout({ children }: { children: ReactNode }) {
  const off = useHiddenAtSignIn()
  const { app_title: app, testimonials } = useContent()
  const alone = off('dashboard_auth:show_testimonial')
  return (
    <div className={cx('auth', alone && 'auth-alone')}>
      <main className="auth-form" id="main">
        <a className="brand" href="/">
          <Logo size={24} />
          <span>{app}</span>
        </a>
        <div className="auth-mid">{children}</div>
      </main>
      {!alone &&
        (testimonials.length > 0 ? (
          <Testimonials all={testimonials} />
        ) : (
          <div className="auth-art" aria-hidden>
            <Pedestal />
            <p>Everything your app is built on.</p>
          </div>
        ))}
    </div>
  )
}

/** The server fetches the picture and makes it small; the browser connects to nobody else. */
const picture = (url: string) => `/_next/image?url=${encodeURIComponent(url)}&w=640&q=75`

/** What one of the people whom the operator quotes says, another one at the next visit. */
function Testimonials({ all }: { all: readonly Testimonial[] }) {
  const [at] = useState(() => Math.floor(Math.random() * all.length))
  const [hasPicture, setHasPicture] = useState(true)
  const shown = all[at] ?? all[0]
  if (!shown) return null
  return (
    <aside className="auth-art auth-quote" aria-label="Testimonial">
      <figure>
        <blockquote>{shown.text}</blockquote>
        <figcaption>
          {hasPicture && (
            <img
              src={picture(shown.img_url)}
              alt=""
              width={40}
              height={40}
              // Whoever keeps the picture may be away; the words stand without it.
              onError={() => setHasPicture(false)}
            />
          )}
          <a className="link" href={shown.url} target="_blank" rel="noreferrer">
            {shown.handle}
          </a>
        </figcaption>
      </figure>
    </aside>
  )
}

type Stone = { x: number; y: number; width: number; height: number; name: string; more?: string }

/** The courses of the pedestal, bottom first. */
const stones: Stone[] = [
  { x: 130, y: 696, width: 600, height: 48, name: 'Postgres 17', more: 'a server of its own' },
  { x: 170, y: 648, width: 520, height: 48, name: 'Data API', more: 'REST, GraphQL' },
  { x: 210, y: 592, width: 220, height: 56, name: 'Storage' },
  { x: 430, y: 592, width: 220, height: 56, name: 'Functions' },
  { x: 210, y: 536, width: 150, height: 56, name: 'Auth' },
  { x: 360, y: 536, width: 140, height: 56, name: 'Realtime' },
  { x: 500, y: 536, width: 150, height: 56, name: 'Webhooks' },
  { x: 210, y: 480, width: 220, height: 56, name: 'Backups' },
  { x: 430, y: 480, width: 220, height: 56, name: 'Advisors' },
  { x: 170, y: 408, width: 520, height: 48, name: 'Dashboard', more: 'SQL, tables' },
]
/** Strokes of the ground line. */
const strokes = Array.from({ length: 38 }, (_, index) => 70 + 20 * index)

/** A technical drawing: the parts of Plinth as a pedestal, the reader's app on top. */
function Pedestal() {
  return (
    <svg viewBox="0 0 860 900" preserveAspectRatio="xMidYMid slice">
      <g className="axis">
        <path d="M430 176V744" />
        <path d="M60 744H800" />
      </g>
      <g className="stones">
        {stones.map(({ x, y, width, height, name, more }) => (
          <g key={name}>
            <rect x={x} y={y} width={width} height={height} />
            <text x={x + 16} y={y + height / 2 + 4}>
              {name}
            </text>
            {more && (
              <text className="faint" x={x + width - 16} y={y + height / 2 + 4} textAnchor="end">
                {more}
              </text>
            )}
          </g>
        ))}
        <path d="M190 456H670L650 480H210Z" />
      </g>
      <g className="app-stone">
        <rect x="335" y="252" width="190" height="156" />
        <text x="430" y="334" textAnchor="middle">
          Your app
        </text>
      </g>
      <g className="measure">
        <path d="M766 408V744M760 408h12M760 744h12" />
        <text x="784" y="580">
          Plinth
        </text>
      </g>
      <path className="ground" d={strokes.map((x) => `M${x} 744l-12 12`).join('')} />
    </svg>
  )
}
