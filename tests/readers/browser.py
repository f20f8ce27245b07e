# SPDX-License-Identifier: GPL-2.0-or-later
"""Headless Chromium, driven through a pipe by the DevTools protocol: pages, mouse, keys, pictures."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
import common

NAMES = ('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable')
SIZE = 1240, 900


class Browser:
    def __init__(self):
        name = next((name for name in NAMES if shutil.which(name)), None) or common.skip('no Chromium')
        self.home = tempfile.mkdtemp()
        to_read, self.to = os.pipe()
        self.of, to_write = os.pipe()

        def connect():
            # Copies above 4 first: one of the pipes may have number 3 or 4.
            one, other = os.dup(to_read), os.dup(to_write)
            while min(one, other) < 5:
                one, other = os.dup(one), os.dup(other)
            os.dup2(one, 3)
            os.dup2(other, 4)

        self.process = subprocess.Popen(
            [name, '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--hide-scrollbars',
             '--disable-background-networking', '--disable-component-update', '--no-first-run', '--disable-sync',
             '--force-device-scale-factor=1', f'--window-size={SIZE[0]},{SIZE[1]}', f'--user-data-dir={self.home}',
             '--remote-debugging-pipe', 'about:blank'],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, close_fds=False,
            preexec_fn=connect)
        os.close(to_read)
        os.close(to_write)
        self.number, self.rest, self.session, self.answer, self.errors = 0, b'', None, '', []
        self.target = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.to)
        os.close(self.of)
        shutil.rmtree(self.home, ignore_errors=True)

    def send(self, method, **params):
        self.number += 1
        message = {'id': self.number, 'method': method, 'params': params}
        if self.session:
            message['sessionId'] = self.session
        data = json.dumps(message).encode() + b'\0'
        while data:
            data = data[os.write(self.to, data):]
        return self.number

    def receive(self):
        while b'\0' not in self.rest:
            if not select.select([self.of], [], [], 30)[0]:
                raise RuntimeError('Chromium does not answer')
            more = os.read(self.of, 1 << 16)
            if not more:
                raise RuntimeError('Chromium has ended')
            self.rest += more
        message, _, self.rest = self.rest.partition(b'\0')
        return json.loads(message)

    def take(self, message):
        """An event: a dialogue is answered, errors are kept."""
        if message.get('method') == 'Page.javascriptDialogOpening':
            self.send('Page.handleJavaScriptDialog', accept=True, promptText=self.answer)
        elif message.get('method') == 'Runtime.exceptionThrown':
            details = message['params']['exceptionDetails']
            self.errors.append(details.get('exception', {}).get('description', details['text']))

    def call(self, method, **params):
        number = self.send(method, **params)
        while True:
            message = self.receive()
            if message.get('id') == number:
                if 'error' in message:
                    raise RuntimeError(f'{method}: {message["error"]}')
                return message['result']
            self.take(message)

    def open(self, path, script=True):
        """Open a file in a tab of its own."""
        old, self.session = self.target, None
        self.target = self.call('Target.createTarget', url='about:blank')['targetId']
        self.session = self.call('Target.attachToTarget', targetId=self.target, flatten=True)['sessionId']
        self.errors = []
        self.call('Page.enable')
        self.call('Runtime.enable')
        self.call('Emulation.setDeviceMetricsOverride', width=SIZE[0], height=SIZE[1], deviceScaleFactor=1, mobile=False)
        self.call('Emulation.setScriptExecutionDisabled', value=not script)
        self.call('Page.navigate', url='file://' + path)
        # Not by its event, which does not always come.
        if not self.wait("location.protocol === 'file:' && document.readyState === 'complete'", 30):
            raise RuntimeError(f'{path} is not loaded')
        if old:
            self.send('Target.closeTarget', targetId=old)

    def wait(self, expression, seconds=10):
        """The value of an expression, when it is true, or after some seconds."""
        end = time.monotonic() + seconds
        while True:
            try:
                value = self.value(expression)
            except RuntimeError:
                value = None  # its page goes
            if value or time.monotonic() > end:
                return value
            time.sleep(0.02)

    def value(self, expression):
        result = self.call('Runtime.evaluate', expression=expression, returnByValue=True, awaitPromise=True)
        if 'exceptionDetails' in result:
            raise RuntimeError(f'{expression}: {result["exceptionDetails"]}')
        return result['result'].get('value')

    def click(self, x, y):
        for kind in ('mouseMoved', 'mousePressed', 'mouseReleased'):
            self.call('Input.dispatchMouseEvent', type=kind, x=x, y=y, button='left', clickCount=1)

    def key(self, name, text=''):
        self.call('Input.dispatchKeyEvent', type='keyDown', key=name, text=text)
        self.call('Input.dispatchKeyEvent', type='keyUp', key=name)

    def picture(self):
        return self.call('Page.captureScreenshot', format='png')['data']

    def colors(self, picture, points):
        """The colours of points of a picture, [red, green, blue, alpha] each. The page may have any rules for
        scripts, so this is called with one that is loaded with them."""
        return self.value('''(async () => {
            const bytes = Uint8Array.from(atob(%s), c => c.charCodeAt(0));
            const image = await createImageBitmap(new Blob([bytes], {type: 'image/png'}));
            const canvas = new OffscreenCanvas(image.width, image.height), on = canvas.getContext('2d');
            on.drawImage(image, 0, 0);
            const {data, width} = on.getImageData(0, 0, image.width, image.height);
            return %s.map(([x, y]) => [...data.slice((y * width + x) * 4, (y * width + x) * 4 + 4)]) })()''' % (
                json.dumps(picture), json.dumps([[int(x), int(y)] for x, y in points])))
