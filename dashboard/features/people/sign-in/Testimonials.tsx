import { useState } from 'react'
import type { Testimonial } from '#contract/operations/custom-content'

/** The server fetches the picture and makes it small; the browser connects to nobody else. */
const picture = (url: string) => `/_next/image?url=${encodeURIComponent(url)}&w=640&q=75`

/** What one of the people whom the operator quotes says, another one at the next visit. */
export function Testimonials({ all }: { all: readonly Testimonial[] }) {
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
