// What is wrong with how a page looks: a list of sentences.
(() => {
  const faults = [];
  const wide = document.documentElement.clientWidth;
  const name = (element) => `${element.tagName.toLowerCase()}.${element.className || element.id} "${element.textContent.trim().slice(0, 40)}"`;
  // What is there for those who hear the page is cut on purpose.
  const isForEars = (element) => element.closest(".hidden, .skip, thead") && getComputedStyle(element.closest(".hidden, .skip, thead")).position === "absolute";
  const seen = [...document.body.querySelectorAll("*")].filter((element) => element.getClientRects().length > 0 && !isForEars(element) && element.tagName !== "SCRIPT");

  if (document.documentElement.scrollWidth > wide) faults.push(`the page is ${document.documentElement.scrollWidth} wide in ${wide}`);
  for (const element of seen) {
    const box = element.getBoundingClientRect();
    if (box.right > wide + 1 || box.left < -1) faults.push(`beyond the edge: ${name(element)} ${box.left}..${box.right}`);
    const style = getComputedStyle(element);
    if (style.display !== "inline" && element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0) faults.push(`cut: ${name(element)} ${element.scrollWidth} in ${element.clientWidth}`);
    if (style.overflowY !== "visible" && element.scrollHeight > element.clientHeight + 1) faults.push(`cut below: ${name(element)}`);
  }

  // Text is inside of everything that clips it.
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || element.getClientRects().length === 0 || isForEars(element) || element.tagName === "SCRIPT") continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    for (let above = element; above && above !== document.body; above = above.parentElement) {
      if (getComputedStyle(above).overflowX === "visible") continue;
      const frame = above.getBoundingClientRect();
      if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.bottom > frame.bottom + 1) faults.push(`text cut: "${node.data.trim().slice(0, 40)}" in ${name(above)}`);
    }
  }

  // Boxes beside each other do not overlap.
  const parents = new Set(seen.map((element) => element.parentElement));
  for (const parent of parents) {
    const boxes = [...parent.children]
      .filter((child) => child.getClientRects().length > 0 && !isForEars(child) && getComputedStyle(child).display !== "inline")
      .filter((child) => !child.closest(".drawn"))
      .map((child) => [child, child.getBoundingClientRect()])
      .filter(([, box]) => box.width > 0 && box.height > 0);
    boxes.sort(([, a], [, b]) => a.top - b.top);
    for (let first = 0; first < boxes.length; first += 1) {
      const [a, aBox] = boxes[first];
      for (let second = first + 1; second < boxes.length && boxes[second][1].top < aBox.bottom - 1; second += 1) {
        const [b, bBox] = boxes[second];
        if (aBox.left < bBox.right - 1 && bBox.left < aBox.right - 1) faults.push(`overlap: ${name(a)} and ${name(b)}`);
      }
    }
  }
  return faults.slice(0, 20);
})()
