import { open, shot } from './.shot.mjs'
const b = await open(); const base='http://127.0.0.1:5199'
await shot(b, base, '/__ui', { name:'ui-dark', full:true })
await shot(b, base, '/__ui', { name:'ui-light', full:true, theme:'light' })
await shot(b, base, '/__ui', { name:'ui-mobile', full:true, size:[390,844] })
await shot(b, base, '/sign-in', { name:'sign-in-dark' })
await shot(b, base, '/sign-in', { name:'sign-in-light', theme:'light' })
await shot(b, base, '/sign-up', { name:'sign-up-dark', before: async p => { await p.fill('input[type=password]','Granite') } })
await shot(b, base, '/sign-in', { name:'sign-in-mobile', size:[390,844] })
await b.close()
