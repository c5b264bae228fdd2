import type { Page } from 'puppeteer-core'

const controls = [
  'button',
  'link',
  'textbox',
  'searchbox',
  'combobox',
  'checkbox',
  'radio',
  'dialog',
]

/** Roles of the controls that a screen reader could not name. */
export async function namelessControls(tab: Page): Promise<readonly string[]> {
  const session = await tab.createCDPSession()
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  await session.detach()
  return nodes
    .filter(({ ignored, role }) => !ignored && controls.includes(role?.value))
    .filter(({ name }) => !name?.value)
    .map(({ role }) => role?.value)
}

/**
 * Texts whose contrast with their background is below that of WCAG AA: 4.5, or 3 for large text. Includes disabled
 * controls, because people read them.
 */
export const lowContrastTexts = (tab: Page): Promise<readonly string[]> =>
  tab.evaluate(() => {
    const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
    const paint = (colors: readonly string[]): number[] => {
      if (canvas === null) throw new Error('No canvas')
      for (const color of colors) {
        canvas.fillStyle = color
        canvas.fillRect(0, 0, 1, 1)
      }
      return [...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3)]
    }
    const luminance = (color: readonly number[]): number => {
      const [red = 0, green = 0, blue = 0] = color.map((byte) => {
        const part = byte / 255
        return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
    const behind = (element: Element | null): string[] =>
      element === null
        ? ['white']
        : [...behind(element.parentElement), getComputedStyle(element).backgroundColor]
    const ownText = (element: Element): string =>
      element instanceof HTMLInputElement
        ? element.value || element.placeholder
        : [...element.childNodes]
            .filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
            .map(({ textContent }) => textContent ?? '')
            .join('')
            .trim()

    return [...document.querySelectorAll('body *')].flatMap((element) => {
      const text = ownText(element)
      const { width, height } = element.getBoundingClientRect()
      if (text === '' || width < 2 || height < 2) return []
      const style = getComputedStyle(element)
      const ground = behind(element)
      const color = element instanceof SVGElement ? style.fill : style.color
      const [one, other] = [luminance(paint(ground)), luminance(paint([...ground, color]))]
      const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
      const isLarge = Number.parseFloat(style.fontSize) >= 24
      return ratio >= (isLarge ? 3 : 4.5) ? [] : [`${text}: ${ratio.toFixed(2)}`]
    })
  })

/**
 * Tags of the controls that show no outline when the Tab key reaches them, and the number of controls that it reaches.
 */
export async function tabThrough(tab: Page): Promise<{ reached: number; unseen: string[] }> {
  await tab.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  const unseen: string[] = []
  for (let reached = 0; ; reached += 1) {
    await tab.keyboard.press('Tab')
    const focused = await tab.evaluate(() => {
      const element = document.activeElement
      if (element === null || element === document.body) return undefined
      // A radio button is transparent: the label beside it shows the outline.
      const shown = element.matches('[type=radio]') ? element.nextElementSibling : element
      const { outlineStyle, outlineWidth } = getComputedStyle(shown ?? element)
      const isFirst = element.hasAttribute('data-reached')
      element.setAttribute('data-reached', '')
      const isSeen = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
      return { tag: `${element.tagName} ${element.id}`, isSeen, isFirst }
    })
    if (focused === undefined || focused.isFirst) return { reached, unseen }
    if (!focused.isSeen) unseen.push(focused.tag)
  }
}

/** The amounts whose digits are cut off. */
export const cutAmounts = (tab: Page): Promise<string[]> =>
  tab.$$eval('.field .row input', (inputs) =>
    inputs
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map(({ value }) => value),
  )

/** The notes that the page shows before the curve. */
export async function curveNotes(tab: Page): Promise<string[]> {
  await tab.evaluateOnNewDocument(() => {
    const notes = new Set<string>()
    Object.assign(globalThis, { notes })
    new MutationObserver(() => {
      notes.add(document.querySelector('.curve .note')?.textContent?.trim() ?? '')
    }).observe(document, { childList: true, characterData: true, subtree: true })
  })
  await tab.reload()
  await tab.waitForSelector('.curve caption')
  return tab.evaluate(() => [...Reflect.get(globalThis, 'notes')])
}
